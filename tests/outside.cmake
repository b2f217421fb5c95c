# For the scripts that build a project outside of the checkout: what they are given stands in their own first lines.

# A fresh folder where temporary files go. It stays there when the test fails, to be looked at.
function(make_outside_folder variable)
  if(DEFINED ENV{TMPDIR})
    set(parent $ENV{TMPDIR})
  else()
    set(parent /tmp)
  endif()
  string(RANDOM LENGTH 10 suffix)
  set(folder ${parent}/wick-test-${suffix})
  file(MAKE_DIRECTORY ${folder})
  file(REAL_PATH ${folder} folder)
  message(STATUS "in ${folder}")
  set(${variable} ${folder} PARENT_SCOPE)
endfunction()

# run(<command>… [OUTPUT <variable>]): fails with all that the command said.
function(run)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUTPUT" "")
  execute_process(COMMAND ${arg_UNPARSED_ARGUMENTS} RESULT_VARIABLE status OUTPUT_VARIABLE output
    ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    list(JOIN arg_UNPARSED_ARGUMENTS " " command)
    message(FATAL_ERROR "${command}\nended with ${status}\n${output}${errors}")
  endif()
  if(arg_OUTPUT)
    set(${arg_OUTPUT} "${output}" PARENT_SCOPE)
  endif()
endfunction()

# Configures an outside project with what wick was built with.
function(run_configure source build)
  run(${CMAKE_COMMAND} -S ${source} -B ${build} -G ${GENERATOR} -DCMAKE_MAKE_PROGRAM=${MAKE}
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON ${ARGN})
endfunction()

# Builds a target of it, over all processors.
function(run_build build)
  cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
  run(${CMAKE_COMMAND} --build ${build} --config ${CONFIG} --parallel ${processors} ${ARGN})
endfunction()

# No text file in `folder` may name one of these paths.
function(expect_no_trace folder)
  foreach(path ${ARGN})
    # The whole path: /tmp/w does not stand in /tmp/wick-test.
    string(REGEX REPLACE "([][+.*()^$?{}|\\\\])" "\\\\\\1" pattern "${path}")
    execute_process(COMMAND grep -rIlE -e "${pattern}([^A-Za-z0-9_.-]|$)" ${folder} OUTPUT_VARIABLE traces)
    if(traces)
      message(FATAL_ERROR "${path} is named in\n${traces}")
    endif()
  endforeach()
endfunction()
