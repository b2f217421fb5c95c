#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include <wick/framework/byte_source.h>
#include <wick/framework/error.h>
#include <wick/framework/npy.h>
#include <wick/framework/npy_elements.h>
#include <wick/framework/npy_header.h>
#include <wick/framework/text.h>
#include <wick/framework/write_file.h>

namespace wick {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// NumPy's own limit. The types that we read need some 300 bytes.
constexpr std::uint64_t kMaxHeader = 10000;

constexpr std::size_t kChunk = 65536;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

NpyHeader read_header(ByteSource& source, const std::string& name) {
  std::array<std::byte, kMagic.size()> magic{};
  const std::size_t count = source.read(magic);
  if (as_text(magic) != kMagic) {
    throw FormatError(name + ": not a .npy file: it begins with '" +
                      escaped(as_text(std::span(magic).first(count))) + "', expected '" + escaped(kMagic) +
                      "'");
  }
  std::array<std::byte, 2> version{};
  read_all(source, version, "the format version", name);
  const int major = std::to_integer<int>(version[0]);
  const int minor = std::to_integer<int>(version[1]);
  if (major < 1 || major > 3 || minor != 0) {
    throw FormatError(name + ": format version " + std::to_string(major) + "." + std::to_string(minor) +
                      ", expected 1.0, 2.0 or 3.0");
  }
  std::array<std::byte, 4> length_bytes{};
  read_all(source, std::span(length_bytes).first(major == 1 ? 2 : 4), "the header's length", name);
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < length_bytes.size(); ++i) {
    length |= std::to_integer<std::uint64_t>(length_bytes[i]) << (8 * i);
  }
  if (length > kMaxHeader) {
    throw FormatError(name + ": a header of " + byte_count_text(length) + ", expected at most " +
                      std::to_string(kMaxHeader));
  }
  std::vector<std::byte> header(length);
  read_all(source, header, "the header", name);
  return parse_npy_header(as_text(header), name);
}

// Throws unless the data is as long as the header says.
void check_data_size(std::uint64_t expected, std::uint64_t found, const NpyHeader& header,
                     const std::string& name) {
  if (expected == found) return;
  const std::string whole =
      byte_count_text(expected) + " for shape " + to_string(header.shape) + " of '" + header.descr + "'";
  if (found > expected) throw FormatError(name + ": data left over after " + whole);
  throw FormatError(name + ": cut short: found " + byte_count_text(found) + " of data, expected " + whole);
}

// Turns dimensions that were read in the opposite order round.
Tensor reversed_axes(const Tensor& tensor) {
  Shape shape;
  Strides strides;
  for (int axis = tensor.rank() - 1; axis >= 0; --axis) {
    shape.push_back(tensor.shape()[axis]);
    strides.push_back(tensor.strides()[axis]);
  }
  return tensor.strided_view(shape, strides).contiguous();
}

Tensor read_elements(ByteSource& source, const NpyHeader& header, const NpyElements& elements,
                     const std::string& name) {
  Shape shape = header.shape;
  if (header.fortran_order) {
    shape = Shape();
    for (int axis = header.shape.rank() - 1; axis >= 0; --axis) shape.push_back(header.shape[axis]);
  }
  Tensor tensor(shape, elements.dtype);
  const std::int64_t total = tensor.numel();
  const auto per_chunk = static_cast<std::int64_t>(kChunk / elements.item_size);
  std::vector<std::byte> chunk(kChunk);
  for (std::int64_t first = 0; first < total; first += per_chunk) {
    const auto wanted = static_cast<std::size_t>(std::min(per_chunk, total - first)) * elements.item_size;
    const std::size_t count = source.read(std::span(chunk).first(wanted));
    if (count < wanted) {  // somebody is shortening the file as we read
      const auto before = static_cast<std::uint64_t>(first) * elements.item_size;
      check_data_size(static_cast<std::uint64_t>(total) * elements.item_size, before + count, header, name);
    }
    elements.decode(std::span(chunk).first(wanted), tensor, first, name);
  }
  return header.fortran_order ? reversed_axes(tensor) : tensor;
}

Tensor read_npy(ByteSource& source, const std::string& name) {
  const NpyHeader header = read_header(source, name);
  const NpyElements elements = npy_elements(header.descr, name);
  const std::uint64_t expected = static_cast<std::uint64_t>(header.shape.numel()) * elements.item_size;
  if (const auto remaining = source.remaining()) {
    check_data_size(expected, *remaining, header, name);
    return read_elements(source, header, elements, name);
  }
  // One byte more than expected, to see whether there is one.
  const std::vector<std::byte> data = read_up_to(source, expected + 1);
  check_data_size(expected, data.size(), header, name);
  MemorySource memory(data);
  return read_elements(memory, header, elements, name);
}

// The elements of a contiguous tensor as they lie in memory, which is how the file has them.
std::span<const std::byte> bytes_of(const Tensor& tensor) {
  static_assert(std::endian::native == std::endian::little, "the types that are written are little-endian");
  return visit_dtype(tensor.dtype(), [&]<typename T>() { return std::as_bytes(tensor.span<T>()); });
}

void require_defined(const Tensor& tensor, std::string_view where) {
  if (!tensor.defined()) throw TypeError(std::string(where) + ": the tensor is undefined");
}

}  // namespace

Tensor load_npy(const std::filesystem::path& path) {
  FileSource source(path);
  return read_npy(source, escaped(path.native()));
}

Tensor decode_npy(std::span<const std::byte> bytes, const std::string& name) {
  MemorySource source(bytes);
  return read_npy(source, name);
}

void save_npy(const std::filesystem::path& path, const Tensor& tensor) {
  require_defined(tensor, "save_npy");
  const Tensor contiguous = tensor.detach().contiguous();
  const std::string preamble = npy_preamble(tensor.dtype(), tensor.shape());
  write_file(path, {std::as_bytes(std::span(preamble)), bytes_of(contiguous)});
}

std::vector<std::byte> encode_npy(const Tensor& tensor) {
  require_defined(tensor, "encode_npy");
  const Tensor contiguous = tensor.detach().contiguous();
  const std::string preamble = npy_preamble(tensor.dtype(), tensor.shape());
  std::vector<std::byte> bytes;
  for (const auto piece : {std::as_bytes(std::span(preamble)), bytes_of(contiguous)}) {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  }
  return bytes;
}

}  // namespace wick
