# What `cmake --install` puts into a prefix: libraries, headers as <wick/…>, the wick command, and a package for
# find_package(wick). Nothing of it names the folders it was built in, so a prefix can be moved.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/wick)
set(header_folder ${CMAKE_INSTALL_INCLUDEDIR}/wick)

get_property(libraries GLOBAL PROPERTY WICK_LIBRARIES)
list(REMOVE_ITEM libraries wick_tester wick_op_bench)
install(TARGETS ${libraries} EXPORT wickTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT wickTargets NAMESPACE wick:: DESTINATION ${package_folder})
if(WICK_BUILD_TOOLS)
  install(TARGETS wick_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# wick_install_component(<name> <header>): what needs something of whoever links it that the rest does not.
function(wick_install_component component header)
  if(TARGET wick_${component})
    cmake_path(GET header PARENT_PATH folder)
    install(TARGETS wick_${component} EXPORT wick_${component}_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT wick_${component}_targets NAMESPACE wick:: DESTINATION ${package_folder})
    install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${header_folder}/${folder})
  endif()
endfunction()
wick_install_component(tester tools/tester.h)     # Boost.Program_options
wick_install_component(op_bench bench/op_bench.h) # Google Benchmark

# The kernels' own headers need xsimd; users see them through the table.
foreach(folder framework ops models)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${header_folder} FILES_MATCHING
    PATTERN "*.h"
    PATTERN "*.inl.h" EXCLUDE
    PATTERN "ops/kernels" EXCLUDE)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/ops/kernels/sets.h ${PROJECT_SOURCE_DIR}/ops/kernels/table.h
  DESTINATION ${header_folder}/ops/kernels)

# What the libraries were linked with has to be found again where they are used.
get_property(dependencies GLOBAL PROPERTY WICK_DEPENDENCIES)
list(JOIN dependencies "\n" dependencies)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/wickConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/wickConfig.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may change anything.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/wickConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/wickConfig.cmake ${PROJECT_BINARY_DIR}/package/wickConfigVersion.cmake
  DESTINATION ${package_folder})
