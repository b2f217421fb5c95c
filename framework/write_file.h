#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <span>

namespace wick {

/// Writes a file that holds these pieces, one after the other: all of it or, where that fails, nothing. It is
/// written under a temporary name in the same folder (.wick-0.tmp, …) and then renamed, so that a file of
/// that name keeps its old content, and readers who have it open keep theirs, until the new one is whole. A
/// link is followed, and an existing file's permissions stay.
///
/// What cannot be replaced, such as a named pipe, /dev/stdout or another device, is written directly.
///
/// Throws FileError with the path and the system's reason. Does not wait for the disk (fsync).
void write_file(const std::filesystem::path& path, std::initializer_list<std::span<const std::byte>> pieces);

}  // namespace wick
