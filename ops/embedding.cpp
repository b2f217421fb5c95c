#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/ops/checks.h>
#include <wick/ops/embedding.h>
#include <wick/ops/instruction_set.h>

namespace wick {
namespace {

class EmbeddingNode final : public Node {
 public:
  EmbeddingNode(const Origin& origin, const Shape& table, const Tensor& ids)
      : Node(origin), table_shape_(table), ids_(this, ids) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const Tensor ids = ids_.get().contiguous();
    const Tensor rows = gradient.contiguous();  // (…, C)
    Tensor table = zeros(table_shape_, gradient.dtype());
    const std::int64_t C = table_shape_[1];
    visit_floating(gradient.dtype(), [&]<typename T>() {
      const auto add_row = active_kernels().in<T>().add;
      const T* from = rows.data<T>();
      T* first = table.mutable_data<T>();
      for (const std::int64_t id : ids.span<std::int64_t>()) {
        T* row = first + id * C;
        add_row(row, 1, from, 1, row, C);
        from += C;
      }
    });
    return {table, Tensor()};
  }

 private:
  Shape table_shape_;
  Saved ids_;
};

}  // namespace

Shape embedding_shape(const Shape& table, const Shape& ids) {
  if (table.rank() != 2) {
    throw ShapeError("embedding: table " + to_string(table) + " of rank " + std::to_string(table.rank()) +
                     ", expected (V, C)");
  }
  if (ids.rank() == kMaxRank) {
    throw ShapeError("embedding: ids " + to_string(ids) + " of rank " + std::to_string(ids.rank()) +
                     ", expected at most " + std::to_string(kMaxRank - 1));
  }
  Shape shape = ids;
  shape.push_back(table[1]);
  static_cast<void>(shape.numel());
  return shape;
}

Tensor embedding(const Tensor& table, const Tensor& ids) {
  require_floating("embedding", "table", table);
  require_type("embedding", "ids", ids, int64);
  const Shape shape = embedding_shape(table.shape(), ids.shape());
  const Tensor positions = ids.contiguous();
  require_ids_in_range("embedding", positions, table.size(0));
  const Tensor rows = table.contiguous();  // (V, C)
  const std::int64_t C = rows.size(1);
  Tensor y(shape, table.dtype());
  visit_floating(table.dtype(), [&]<typename T>() {
    const T* first = rows.data<T>();
    T* out = y.mutable_data<T>();
    for (const std::int64_t id : positions.span<std::int64_t>()) out = std::copy_n(first + id * C, C, out);
  });
  return record<EmbeddingNode>("embedding", {&table, &ids}, std::move(y), table.shape(), ids);
}

}  // namespace wick
