# The command against NumPy, where a Python has it.
function(wick_add_numpy_test name script)
  add_test(NAME tools:${name} COMMAND sh ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/with_numpy.sh
    ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${script} $<TARGET_FILE:wick_command>)
  set_tests_properties(tools:${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endfunction()

wick_add_numpy_test(AttendAgainstNumPy attend_against_numpy.py)
if(NOT WICK_SANITIZE)  # thousands of programs, each slow to start there, for what the tests of wick op run too
  wick_add_numpy_test(OpAgainstNumPy op_against_numpy.py)
endif()
