#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/ops/embedding.h>
#include <wick/ops/expand.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

TEST(Embedding, LooksUpRowsInEveryLayout) {
  for (const Shape& ids_shape : {Shape{}, {1}, {5}, {2, 3}, {0}, {3, 0}, {1, 2, 1, 2, 1, 2, 2}}) {
    for (const Shape& table_shape : {Shape{7, 5}, {7, 1}, {7, 0}, {1, 19}}) {
      on_every_set_and_type([&](DType dtype) {
        const Tensor table = normal(table_shape, dtype);
        const Tensor ids = default_rng(3)->integers(0, table_shape[0], ids_shape);
        const Array rows(table);
        const Array looked_up(ids);
        Array expected(embedding_shape(table_shape, ids_shape));
        for (const Index& index : positions(expected.shape)) {
          const Index of_id(index.begin(), index.end() - 1);
          expected[index] = rows[{static_cast<std::int64_t>(looked_up[of_id]), index.back()}];
        }
        for (const Layout& left : layouts_of(table)) {
          for (const Layout& right : layouts_of(ids)) {
            SCOPED_TRACE(to_string(table_shape) + " " + left.name + " at " + to_string(ids_shape) + " " +
                         right.name);
            const Tensor y = embedding(left.tensor, right.tensor);
            EXPECT_EQ(y.dtype(), dtype);
            expect_exactly(y, expected);
          }
        }
      });
    }
  }
}

TEST(Embedding, ReadsExpandedIdsAndTables) {
  const Tensor table = expand(tensor({{1, 2}}, float64), {4, 2});
  expect_values(embedding(table, expand(full({}, 3, int64), {2, 2})), {{{1, 2}, {1, 2}}, {{1, 2}, {1, 2}}});
}

TEST(Embedding, OfAnEmptyTableNeedsNoIds) {
  EXPECT_EQ(embedding(zeros({0, 3}), zeros({0}, int64)).shape(), Shape({0, 3}));
  EXPECT_EQ(error_of<IndexError>([] {
              embedding(zeros({0, 3}), zeros({1}, int64));
            }),
            "embedding: the id at position (0,) is 0, outside [0, 0)");
}

TEST(Embedding, NamesTheIdThatIsOutside) {
  const Tensor table = zeros({24, 2});
  const auto error = [&](const Tensor& ids) { return error_of<IndexError>([&] { embedding(table, ids); }); };
  EXPECT_EQ(error(tensor({0, 23, 24})), "embedding: the id at position (2,) is 24, outside [0, 24)");
  EXPECT_EQ(error(tensor({{0, 1, 2}, {3, -1, 99}})),
            "embedding: the id at position (1, 1) is -1, outside [0, 24)");
  EXPECT_EQ(error(transpose(tensor({{0, 1, 2}, {3, -1, 4}}))),
            "embedding: the id at position (1, 1) is -1, outside [0, 24)");
  EXPECT_EQ(error(transpose(tensor({{0, 1, 99}, {3, 4, 5}}))),
            "embedding: the id at position (2, 0) is 99, outside [0, 24)");
  EXPECT_EQ(error(full({}, 24, int64)), "embedding: the id at position () is 24, outside [0, 24)");
  EXPECT_EQ(error(full({1}, std::numeric_limits<std::int64_t>::min(), int64)),
            "embedding: the id at position (0,) is -9223372036854775808, outside [0, 24)");
  EXPECT_EQ(error(full({1}, std::numeric_limits<std::int64_t>::max(), int64)),
            "embedding: the id at position (0,) is 9223372036854775807, outside [0, 24)");
}

TEST(Embedding, ShapeRuleStandsAlone) {
  EXPECT_EQ(bytes_taken([] {
              EXPECT_EQ(embedding_shape({24, 64}, {1, 6}), Shape({1, 6, 64}));
              EXPECT_EQ(embedding_shape({24, 64}, {}), Shape({64}));
              EXPECT_EQ(embedding_shape({24, 0}, {3}), Shape({3, 0}));
              EXPECT_EQ(embedding_shape({1 << 30, 1 << 30}, {4}), Shape({4, 1 << 30}));
            }),
            0);
}

TEST(Embedding, SaysWhatDoesNotFit) {
  EXPECT_EQ(error_of<ShapeError>([] { embedding(zeros({3}), arange(2)); }),
            "embedding: table (3,) of rank 1, expected (V, C)");
  EXPECT_EQ(error_of<ShapeError>([] {
              embedding_shape({2, 3, 4}, {2});
            }),
            "embedding: table (2, 3, 4) of rank 3, expected (V, C)");
  EXPECT_EQ(error_of<ShapeError>([] {
              embedding_shape({2, 3}, {1, 1, 1, 1, 1, 1, 1, 2});
            }),
            "embedding: ids (1, 1, 1, 1, 1, 1, 1, 2) of rank 8, expected at most 7");
  EXPECT_EQ(error_of<ShapeError>([] {
              embedding_shape({2, 1 << 30}, {1 << 30, 1 << 30});
            }),
            "the number of elements of (1073741824, 1073741824, 1073741824) overflows a 64-bit integer");
}

TEST(Embedding, HasItsGradient) {
  for (const Shape& shape : {Shape{}, {4}, {2, 3}, {0}}) {
    const Tensor ids = default_rng(3)->integers(0, 4, shape);
    expect_gradients_everywhere([&](const Inputs& in) { return embedding(in[0], ids); }, {normal({4, 3})});
    expect_gradients_everywhere([&](const Inputs& in) { return embedding(transpose(in[0]), ids); },
                                {normal({3, 4})});
  }
  const Tensor ids = transpose(tensor({{0, 3, 2}, {2, 2, 1}}));
  expect_gradients_everywhere([&](const Inputs& in) { return transpose(embedding(in[0], ids)); },
                              {normal({4, 3})});
}

TEST(Embedding, GradientOfARowLookedUpTwiceIsTheSum) {
  on_every_set_and_type([](DType dtype) {
    Tensor table = normal({3, 2}, dtype);
    table.set_requires_grad(true);
    embedding(table, tensor({1, 1})).backward(tensor({{1, 2}, {10, 20}}, dtype));
    expect_values(table.grad(), {{0, 0}, {11, 22}, {0, 0}});
  });
}

TEST(Embedding, GradientsAreAddedInTheOrderOfTheIds) {
  on_every_set_and_type([](DType dtype) {
    Tensor table = zeros({2, 1}, dtype);
    table.set_requires_grad(true);
    const double large = 2 / epsilon(dtype);  // to which 1 is lost
    embedding(table, tensor({1, 1, 1})).backward(tensor({{1}, {large}, {-large}}, dtype));
    expect_values(table.grad(), {{0}, {0}});
    table.zero_grad();
    embedding(table, tensor({1, 1, 1})).backward(tensor({{large}, {-large}, {1}}, dtype));
    expect_values(table.grad(), {{0}, {1}});
  });
}

TEST(Embedding, SavesTheIdsAlone) {
  Tensor table = normal({100, 64}, float32);
  table.set_requires_grad(true);
  const Tensor y = embedding(table, tensor({1, 2, 3}));
  EXPECT_EQ(y.node()->saved_bytes(), 3 * 8);
  EXPECT_EQ(y.node()->inputs()[1], nullptr);
}

TEST(Embedding, FindsOutThatTheIdsWereWrittenTo) {
  Tensor table = normal({4, 2}, float32);
  table.set_requires_grad(true);
  Tensor ids = tensor({1, 2, 3});
  const Tensor y = embedding(table, ids);
  ids.set({0}, 3);
  EXPECT_EQ(error_of<GraphError>([&] {
              y.backward(ones({3, 2}));
            }),
            "embedding: a value of shape (3,) that backward needs was written to after the op had used it "
            "(version 2, saved at 1)");
}

}  // namespace
}  // namespace wick
