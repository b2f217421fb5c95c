# The report on made-up measurements: Python's standard library is all that it needs.
find_program(WICK_PYTHON NAMES python3 DOC "Python 3, for the tests of bench/report")
if(WICK_PYTHON)
  add_test(NAME bench:Report COMMAND ${WICK_PYTHON} -B ${CMAKE_CURRENT_LIST_DIR}/report_test.py)
  add_test(NAME bench:ReportRuns COMMAND ${WICK_PYTHON} -B ${CMAKE_CURRENT_LIST_DIR}/report_runs_test.py)
endif()

# That PyTorch computes what NumPy does, where both are there.
add_test(NAME bench:Peers COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/../tools/with_numpy.sh ${CMAKE_CURRENT_LIST_DIR}/peers_test.py)
set_tests_properties(bench:Peers PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)

# wick_add_bench_test(<name> <program> <filter> <expected>): a program compares what it times with plain loops, those of the
# peers that are there included, and ends with 1 where one is wrong. No time is looked at. An empty selection is none of success.
function(wick_add_bench_test name program filter)
  add_test(NAME bench:${name} COMMAND ${program} --benchmark_min_time=0.0001 --benchmark_filter=${filter})
  set_tests_properties(bench:${name} PROPERTIES FAIL_REGULAR_EXPRESSION "ERROR OCCURRED;Failed to match" TIMEOUT 300
    ENVIRONMENT "${WICK_TEST_ENVIRONMENT}")
endfunction()

if(TARGET wick_product_bench)
  wick_add_bench_test(Products wick_product_bench "^product/(6x16x64|12x16x32|12x12x16|64x64x64|1x768x768)/")
  wick_add_bench_test(Heads wick_head_bench "^head/lesson[45]/")
  wick_add_bench_test(Ladder wick_ladder_bench
    "^(matmul/64x64x64|softmax/4096x64|transpose/1024x1024|attention(_backward)?/16x4x64x16)/")
  wick_add_bench_test(Ops wick_ops_bench "^(matmul/.*(6, 64|6x64)|add/|softmax/64x1024).*float32")
  wick_add_bench_test(Limits wick_ops_bench "^limit/")
  wick_add_bench_test(Overhead wick_overhead_bench "^overhead/")
  wick_add_bench_test(Threads wick_threads_bench "^threads/(softmax|memcpy)/")

  # What is wrong is not timed, and the program ends with 1.
  add_executable(wick_wrong_op_bench bench/wrong_op.cpp)
  target_link_libraries(wick_wrong_op_bench PRIVATE wick::op_bench wick_private_options)
  add_test(NAME bench:WrongOp COMMAND sh -c "\"$0\" --benchmark_min_time=0.0001 && exit 1 || test $? = 1"
    $<TARGET_FILE:wick_wrong_op_bench>)
  set_tests_properties(bench:WrongOp PROPERTIES ENVIRONMENT "${WICK_TEST_ENVIRONMENT}")
endif()
