# Builds and runs a project that takes wick in by add_subdirectory.
#
#   cmake -D WICK_SOURCE=… -D CXX=… -D FLAGS=… -D GENERATOR=… -D MAKE=… -P run.cmake

include(${CMAKE_CURRENT_LIST_DIR}/../outside.cmake)
make_outside_folder(folder)

run_configure(${CMAKE_CURRENT_LIST_DIR} ${folder}/build -DWICK_SOURCE=${WICK_SOURCE})
run(${CMAKE_COMMAND} --build ${folder}/build --target consumer)
run(${folder}/build/consumer OUTPUT printed)
file(READ ${CMAKE_CURRENT_LIST_DIR}/../consumer/expected.txt expected)
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "the consumer printed\n${printed}\nexpected\n${expected}")
endif()

# What wick is compiled with is its own affair.
file(STRINGS ${folder}/build/compile_commands.json commands REGEX "\"command\": .*consumer/main.cpp")
if(NOT commands OR commands MATCHES "-Wall|-Werror|-ffp-contract|-fvisibility|-O[0-9]")
  message(FATAL_ERROR "the consumer is compiled with\n${commands}")
endif()

# And nothing of it is installed with the outer project.
run(${CMAKE_COMMAND} --install ${folder}/build --prefix ${folder}/installed)
file(GLOB_RECURSE installed ${folder}/installed/*)
if(installed)
  message(FATAL_ERROR "installed with the outer project:\n${installed}")
endif()

file(REMOVE_RECURSE ${folder})
