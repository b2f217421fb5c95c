#pragma once

namespace wick {

/// What compiled the file that reads it: "GCC 12.2.0".
inline constexpr const char* kCompiler =
#ifdef __clang__
    "Clang " __clang_version__;
#else
    "GCC " __VERSION__;
#endif

}  // namespace wick
