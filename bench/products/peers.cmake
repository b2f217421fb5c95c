# The peers of wick_product_bench, each where it is found. What they are is told by tools/bench.

if(WICK_SANITIZE)  # of others' libraries, and of a second OpenMP beside the compiler's, sanitizers understand nothing
  return()
endif()

# wick_add_peer(<name> <target>…): products/<name>.cpp with what it needs.
function(wick_add_peer name)
  string(TOUPPER ${name} upper)
  target_sources(wick_product_bench PRIVATE products/${name}.cpp)
  target_compile_definitions(wick_product_bench PRIVATE WICK_BENCH_${upper})
  target_link_libraries(wick_product_bench PRIVATE ${ARGN})
endfunction()

find_package(Eigen3 QUIET NO_MODULE)
if(TARGET Eigen3::Eigen)
  wick_add_peer(eigen Eigen3::Eigen)
  # For this very processor, and as its makers would have it: the reason stands in the file.
  set(options -O3 -march=native -ffp-contract=fast -DEIGEN_NO_DEBUG -DEIGEN_DONT_PARALLELIZE)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -Wno-uninitialized -Wno-maybe-uninitialized)  # GCC 12 warns of its own intrinsics
  endif()
  set_source_files_properties(products/eigen.cpp PROPERTIES COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON)
endif()

# By its header and library, because its CMake files name what older ones do not.
find_path(WICK_OPENBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas-pthread openblas-openmp openblas-serial openblas
  ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp
  DOC "Folder of OpenBLAS's cblas.h")
find_library(WICK_OPENBLAS_LIBRARY openblas DOC "OpenBLAS")
if(WICK_OPENBLAS_INCLUDE_DIR AND WICK_OPENBLAS_LIBRARY)
  wick_add_peer(openblas ${WICK_OPENBLAS_LIBRARY})
  target_include_directories(wick_product_bench SYSTEM PRIVATE ${WICK_OPENBLAS_INCLUDE_DIR})
endif()

find_package(dnnl QUIET CONFIG)
find_package(OpenMP QUIET COMPONENTS CXX)
if(TARGET DNNL::dnnl AND TARGET OpenMP::OpenMP_CXX)
  wick_add_peer(onednn DNNL::dnnl OpenMP::OpenMP_CXX)
endif()
