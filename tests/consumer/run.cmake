# Installs wick, moves what was installed, and builds and runs the consumer against it, all in a folder of its own
# outside of the checkout: whatever reaches back into the checkout or its build is found out.
#
#   cmake -D WICK_SOURCE=… -D WICK_BUILD=… -D CONFIG=… -D CXX=… -D FLAGS=… -D GENERATOR=… -D MAKE=… -P run.cmake

include(${CMAKE_CURRENT_LIST_DIR}/../outside.cmake)
make_outside_folder(folder)

run(${CMAKE_COMMAND} --install ${WICK_BUILD} --config ${CONFIG} --prefix ${folder}/installed)
file(RENAME ${folder}/installed ${folder}/prefix)
expect_no_trace(${folder}/prefix ${WICK_SOURCE} ${WICK_BUILD} ${folder})

file(COPY ${CMAKE_CURRENT_LIST_DIR}/CMakeLists.txt ${CMAKE_CURRENT_LIST_DIR}/main.cpp DESTINATION ${folder}/consumer)

# Beside what the consumer asks for, every installed header has to stand on what was installed.
file(GLOB_RECURSE headers RELATIVE ${folder}/prefix/include ${folder}/prefix/include/*.h)
list(TRANSFORM headers PREPEND "#include <")
list(TRANSFORM headers APPEND ">\n")
list(JOIN headers "" headers)
file(WRITE ${folder}/consumer/every_header.cpp "${headers}")
file(APPEND ${folder}/consumer/CMakeLists.txt "target_sources(consumer PRIVATE every_header.cpp)\n")

run_configure(${folder}/consumer ${folder}/build -DCMAKE_PREFIX_PATH=${folder}/prefix)
run_build(${folder}/build)
expect_no_trace(${folder}/build ${WICK_SOURCE} ${WICK_BUILD})

find_program(consumer consumer PATHS ${folder}/build ${folder}/build/${CONFIG} NO_DEFAULT_PATH REQUIRED)
run(${consumer} OUTPUT printed)
file(READ ${CMAKE_CURRENT_LIST_DIR}/expected.txt expected)
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "the consumer printed\n${printed}\nexpected\n${expected}")
endif()

find_program(command wick PATHS ${folder}/prefix/bin NO_DEFAULT_PATH REQUIRED)
run(${command} --version)

file(REMOVE_RECURSE ${folder})
