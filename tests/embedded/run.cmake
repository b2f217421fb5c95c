# Builds and runs a project that takes wick in by add_subdirectory: with wick::framework, or with all of wick where
# WICK_EMBEDDED_WHOLE is set in the environment, which takes minutes, because all of it is compiled once more.
#
#   cmake -D WICK_SOURCE=… -D WICK_BUILD=… -D CONFIG=… -D CXX=… -D FLAGS=… -D GENERATOR=… -D MAKE=… -P run.cmake

include(${CMAKE_CURRENT_LIST_DIR}/../outside.cmake)

if(DEFINED ENV{WICK_EMBEDDED_WHOLE})
  set(program consumer)
  file(READ ${CMAKE_CURRENT_LIST_DIR}/../consumer/expected.txt expected)
else()
  set(program small)
  set(expected "[0 1 2]\n")
endif()

# What was compiled the last time is kept; what was decided is not.
set(folder ${WICK_BUILD}/embedded)
file(REMOVE ${folder}/CMakeCache.txt)
run_configure(${CMAKE_CURRENT_LIST_DIR} ${folder} -DWICK_SOURCE=${WICK_SOURCE})
run_build(${folder} --target ${program})
run(${folder}/${program} OUTPUT printed)
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "${program} printed\n${printed}\nexpected\n${expected}")
endif()

# What wick is compiled with is its own affair.
file(STRINGS ${folder}/compile_commands.json commands REGEX "\"command\": .*(consumer|embedded)/main.cpp")
if(NOT commands OR commands MATCHES "-Wall|-Werror|-ffp-contract|-fvisibility|-O[0-9]")
  message(FATAL_ERROR "an outer project's program is compiled with\n${commands}")
endif()

# And nothing of it is installed with the outer project.
file(REMOVE_RECURSE ${folder}/installed)
run(${CMAKE_COMMAND} --install ${folder} --prefix ${folder}/installed)
file(GLOB_RECURSE installed ${folder}/installed/*)
if(installed)
  message(FATAL_ERROR "installed with the outer project:\n${installed}")
endif()
