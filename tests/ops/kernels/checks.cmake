# What is checked of the units that hold the kernels without running them.

if(TARGET wick_kernels)
  # The compiler has to refuse, and for our reason.
  add_test(NAME ops/kernels:fast_math_is_refused
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -ffast-math -fsyntax-only -I${WICK_INCLUDE_DIR}
      ${PROJECT_SOURCE_DIR}/ops/kernels/scalar.cpp)
  set_tests_properties(ops/kernels:fast_math_is_refused PROPERTIES
    PASS_REGULAR_EXPRESSION "build them without -ffast-math")

  # Sanitizers bring symbols of their own.
  if(NOT WICK_SANITIZE AND CMAKE_NM AND CMAKE_READELF)
    add_test(NAME ops/kernels:units_share_nothing
      COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DREADELF=${CMAKE_READELF}
        "-DOBJECTS=$<JOIN:$<TARGET_OBJECTS:wick_kernels>,$<COMMA>>"
        -P ${CMAKE_CURRENT_LIST_DIR}/check_units.cmake)
  endif()
endif()
