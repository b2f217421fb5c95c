# The command against NumPy, where a Python has it.
add_test(NAME tools:AttendAgainstNumPy
  COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/with_numpy.sh ${CMAKE_CURRENT_LIST_DIR}/attend_against_numpy.py
    $<TARGET_FILE:wick_command>)
set_tests_properties(tools:AttendAgainstNumPy PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
