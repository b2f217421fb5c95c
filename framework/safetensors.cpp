#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>

#include <wick/framework/byte_source.h>
#include <wick/framework/error.h>
#include <wick/framework/safetensors.h>
#include <wick/framework/safetensors_header.h>
#include <wick/framework/text.h>
#include <wick/framework/write_file.h>

namespace wick {
namespace {

static_assert(std::endian::native == std::endian::little, "the format's elements are little-endian");

using LengthBytes = std::array<std::byte, 8>;

SafetensorsHeader read_header(ByteSource& source, const std::string& name) {
  LengthBytes length_bytes{};
  read_all(source, length_bytes, "the header's length", name);
  const auto length = std::bit_cast<std::uint64_t>(length_bytes);
  if (length > kMaxSafetensorsHeader) {
    throw FormatError(name + ": a header of " + byte_count_text(length) + ", expected at most " +
                      std::to_string(kMaxSafetensorsHeader));
  }
  const std::vector<std::byte> header = read_up_to(source, length);
  if (header.size() < length) {
    throw FormatError(name + ": cut short: found " + byte_count_text(header.size()) +
                      " of the header, expected " + std::to_string(length));
  }
  return parse_safetensors_header({reinterpret_cast<const char*>(header.data()), header.size()}, name);
}

void check_data_size(std::uint64_t expected, std::uint64_t found, const std::string& name) {
  if (found > expected) {
    throw FormatError(name + ": data left over after the " + byte_count_text(expected) +
                      " that belong to tensors");
  }
  if (found < expected) {
    throw FormatError(name + ": cut short: found " + byte_count_text(found) + " of data, expected " +
                      std::to_string(expected));
  }
}

// A byte that is to be a bool may only be 0 or 1.
void check_booleans(std::span<const std::byte> bytes, const std::string& tensor_name,
                    const std::string& name) {
  const auto found = std::ranges::find_if(bytes, [](std::byte byte) { return byte > std::byte{1}; });
  if (found == bytes.end()) return;
  throw FormatError(name + ": \"" + excerpt(tensor_name) + "\": element " +
                    std::to_string(found - bytes.begin()) + " is " +
                    std::to_string(std::to_integer<int>(*found)) + ", expected 0 or 1 for BOOL");
}

Tensor read_tensor(ByteSource& source, const SafetensorsEntry& entry, const std::string& name) {
  Tensor tensor(entry.shape, entry.dtype);
  visit_dtype(entry.dtype, [&]<typename T>() {
    const std::span<std::byte> bytes = std::as_writable_bytes(tensor.mutable_span<T>());
    read_all(source, bytes, "\"" + excerpt(entry.name) + "\"", name);
    if (entry.dtype == boolean) check_booleans(bytes, entry.name, name);
  });
  return tensor;
}

SafetensorsFile read_tensors(ByteSource& source, SafetensorsHeader header, const std::string& name) {
  SafetensorsFile file;
  file.metadata = std::move(header.metadata);
  file.tensors.reserve(header.entries.size());
  for (SafetensorsEntry& entry : header.entries) {
    Tensor tensor = read_tensor(source, entry, name);
    file.tensors.push_back({std::move(entry.name), std::move(tensor)});
  }
  return file;
}

SafetensorsFile read_safetensors(ByteSource& source, const std::string& name) {
  SafetensorsHeader header = read_header(source, name);
  const std::uint64_t expected = header.data_size();
  if (const auto remaining = source.remaining()) {
    check_data_size(expected, *remaining, name);
    return read_tensors(source, std::move(header), name);
  }
  // One byte more than expected, to see whether there is one.
  const std::vector<std::byte> data = read_up_to(source, expected + 1);
  check_data_size(expected, data.size(), name);
  MemorySource memory(data);
  return read_tensors(memory, std::move(header), name);
}

// A file's bytes, as pieces that the tensors here hold.
struct Image {
  LengthBytes length{};
  std::string header;
  std::vector<Tensor> tensors;  // contiguous

  std::vector<std::span<const std::byte>> pieces() const {
    std::vector<std::span<const std::byte>> result{length, std::as_bytes(std::span(header))};
    for (const Tensor& tensor : tensors) {
      visit_dtype(tensor.dtype(), [&]<typename T>() { result.push_back(std::as_bytes(tensor.span<T>())); });
    }
    return result;
  }
};

Image image_of(const std::vector<NamedTensor>& tensors, const std::map<std::string, std::string>& metadata) {
  std::vector<NamedTensor> ordered = tensors;
  // Undefined ones are refused below; they have a type all the same.
  std::ranges::stable_sort(ordered, std::ranges::greater(),
                           [](const NamedTensor& entry) { return item_size(entry.tensor.dtype()); });
  Image image;
  image.header = safetensors_header(ordered, metadata);
  image.length = std::bit_cast<LengthBytes>(static_cast<std::uint64_t>(image.header.size()));
  image.tensors.reserve(ordered.size());
  for (const NamedTensor& entry : ordered) image.tensors.push_back(entry.tensor.detach().contiguous());
  return image;
}

}  // namespace

SafetensorsFile load_safetensors(const std::filesystem::path& path) {
  FileSource source(path);
  return read_safetensors(source, escaped(path.native()));
}

SafetensorsFile decode_safetensors(std::span<const std::byte> bytes, const std::string& name) {
  MemorySource source(bytes);
  return read_safetensors(source, name);
}

void save_safetensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors,
                      const std::map<std::string, std::string>& metadata) {
  const Image image = image_of(tensors, metadata);
  write_files({{path, image.pieces()}}, Durability::synced);
}

std::vector<std::byte> encode_safetensors(const std::vector<NamedTensor>& tensors,
                                          const std::map<std::string, std::string>& metadata) {
  const Image image = image_of(tensors, metadata);
  std::vector<std::byte> bytes;
  for (const std::span<const std::byte> piece : image.pieces()) {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  }
  return bytes;
}

}  // namespace wick
