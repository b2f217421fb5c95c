# What is checked of the units that hold the kernels without running them.

if(TARGET wick_kernels)
  # The compiler has to refuse, and for our reason.
  set(flags -ffast-math -Ofast -ffinite-math-only)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    list(APPEND flags -funsafe-math-optimizations -freciprocal-math)  # Clang has no macro for these
  endif()
  foreach(flag IN LISTS flags)
    add_test(NAME ops/kernels:refuses${flag}
      COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 ${flag} -fsyntax-only -I${WICK_INCLUDE_DIR}
        ${PROJECT_SOURCE_DIR}/ops/kernels/scalar.cpp)
    set_tests_properties(ops/kernels:refuses${flag} PROPERTIES
      PASS_REGULAR_EXPRESSION "build them without -ffast-math")
  endforeach()

  # Sanitizers bring symbols of their own.
  if(NOT WICK_SANITIZE AND CMAKE_NM AND CMAKE_READELF)
    add_test(NAME ops/kernels:units_share_nothing
      COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DREADELF=${CMAKE_READELF}
        "-DOBJECTS=$<JOIN:$<TARGET_OBJECTS:wick_kernels>,$<COMMA>>"
        -P ${CMAKE_CURRENT_LIST_DIR}/check_units.cmake)
  endif()
endif()
