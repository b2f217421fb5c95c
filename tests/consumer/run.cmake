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

# And Boost is nothing that it needs.
run_configure(${folder}/consumer ${folder}/build -DCMAKE_PREFIX_PATH=${folder}/prefix
  -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON)
run_build(${folder}/build)
expect_no_trace(${folder}/build ${WICK_SOURCE} ${WICK_BUILD})

find_program(consumer consumer PATHS ${folder}/build ${folder}/build/${CONFIG} NO_DEFAULT_PATH REQUIRED)
run(${consumer} OUTPUT printed)
file(READ ${CMAKE_CURRENT_LIST_DIR}/expected.txt expected)
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "the consumer printed\n${printed}\nexpected\n${expected}")
endif()

# A user's own op: it needs Boost, and says so.
file(COPY ${CMAKE_CURRENT_LIST_DIR}/my_ops DESTINATION ${folder})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${folder}/my_ops -B ${folder}/build_without_boost -G ${GENERATOR}
  -DCMAKE_MAKE_PROGRAM=${MAKE} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${folder}/prefix
  -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE errors)
if(status EQUAL 0 OR NOT errors MATCHES "wick::tester needs Boost.Program_options")
  message(FATAL_ERROR "without Boost, wick::tester is not refused but\n${errors}")
endif()

run_configure(${folder}/my_ops ${folder}/build_my_ops -DCMAKE_PREFIX_PATH=${folder}/prefix)
run_build(${folder}/build_my_ops)
expect_no_trace(${folder}/build_my_ops ${WICK_SOURCE} ${WICK_BUILD})
find_program(my_ops my_ops PATHS ${folder}/build_my_ops ${folder}/build_my_ops/${CONFIG} NO_DEFAULT_PATH REQUIRED)
run(${my_ops} check OUTPUT printed)
if(NOT printed MATCHES "squares +19 .* 5/5 +-\nall is well\n$")
  message(FATAL_ERROR "the check of a user's op printed\n${printed}")
endif()

# The same op, timed.
if(EXISTS ${folder}/prefix/include/wick/bench/op_bench.h)
  find_program(my_ops_bench my_ops_bench PATHS ${folder}/build_my_ops ${folder}/build_my_ops/${CONFIG} NO_DEFAULT_PATH
    REQUIRED)
  run(${my_ops_bench} --benchmark_min_time=0.001 --benchmark_filter=scalar OUTPUT printed)
  if(NOT printed MATCHES "squares/64x1024/scalar/float32 .*FLOP/s=")
    message(FATAL_ERROR "the benchmark of a user's op printed\n${printed}")
  endif()
endif()

find_program(command wick PATHS ${folder}/prefix/bin NO_DEFAULT_PATH REQUIRED)
run(${command} --version)

file(REMOVE_RECURSE ${folder})
