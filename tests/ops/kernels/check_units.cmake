# cmake -DNM=… -DREADELF=… -DOBJECTS=a.o,b.o -P check_units.cmake
#
# Of a weak definition the linker keeps one copy for all units, perhaps the one built for instructions that the
# processor lacks; and a dynamic initializer runs before anyone has asked the processor. Neither may be in a unit that
# is built for one instruction set.

string(REPLACE "," ";" objects "${OBJECTS}")
set(seen 0)
foreach(object IN LISTS objects)
  if(object MATCHES "/sets\\.cpp\\.")
    continue()  # built for every processor, and free to share
  endif()
  math(EXPR seen "${seen} + 1")

  execute_process(COMMAND ${NM} -C ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]* [WVwvu] [^\n]*" weak_symbols "${symbols}")
  foreach(symbol IN LISTS weak_symbols)
    if(NOT symbol MATCHES " DW\\.ref\\." AND symbol MATCHES "^[0-9a-f]")  # without an address it is no definition
      message(SEND_ERROR "${object}: weak: ${symbol}")
    endif()
  endforeach()
  if(NOT symbols MATCHES "wick::kernels::[a-z0-9]+_table")
    message(SEND_ERROR "${object}: no table, so nothing was checked")
  endif()

  execute_process(COMMAND ${READELF} -SW ${object} OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
  if(sections MATCHES "\\.init_array|\\.ctors")
    message(SEND_ERROR "${object}: has a dynamic initializer")
  endif()
endforeach()
if(seen EQUAL 0)
  message(SEND_ERROR "no unit among: ${OBJECTS}")
endif()
