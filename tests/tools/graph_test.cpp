#include <string>

#include <gtest/gtest.h>

#include <wick/tests/tools/run_command.h>

namespace wick::tools {
namespace {

TEST(Graph, IsATableOfTheLessonsHead) {
  // x is (1, 12, 32): 3072 bytes, kept by query, key and value, each beside its weights of 4096. Once, with
  // the ids, query, key, weights and value: 96 + 3072 + 3 · 4096 + 1536 + 1536 + 1152 + 1536.
  EXPECT_EQ(output_of({"graph"}),
            "   op         module      inputs                   result       kept  step\n"
            "1  embedding  embedding   (24, 32) (1, 12)         (1, 12, 32)  96\n"
            "2  matmul     head.query  (1, 12, 32) (32, 16)     (1, 12, 16)  7168  head.query\n"
            "3  matmul     head.key    (1, 12, 32) (32, 16)     (1, 12, 16)  7168  head.key\n"
            "4  matmul     head.value  (1, 12, 32) (32, 16)     (1, 12, 16)  7168  head.value\n"
            "5  transpose  head        (1, 12, 16)              (1, 16, 12)  0\n"
            "6  matmul     head        (1, 12, 16) (1, 16, 12)  (1, 12, 12)  3072\n"
            "7  scale      head        (1, 12, 12)              (1, 12, 12)  0     head.scores\n"
            "8  softmax    head        (1, 12, 12)              (1, 12, 12)  1152  head.weights\n"
            "9  matmul     head        (1, 12, 12) (1, 12, 16)  (1, 12, 16)  2688  head.out\n"
            "kept for backward: 21216 bytes, what several ops keep counted once\n");
}

TEST(Graph, IsDotForGraphviz) {
  const std::string dot = output_of({"graph", "--causal", "--format", "dot"});
  EXPECT_EQ(dot.substr(0, 10), "digraph {\n");
  EXPECT_EQ(dot.substr(dot.size() - 4), ";\n}\n");
  for (const std::string part :
       {"subgraph \"cluster_head.query\" {", "label=\"head.query.weight\\n(32, 16)\"",
        "label=\"causal_mask\\n", "label=\"softmax\\n(1, 12, 12)\\nhead.weights\"",
        "label=\"ids\\n(1, 12)\""}) {
    EXPECT_NE(dot.find(part), std::string::npos) << part << "\n" << dot;
  }
}

TEST(Graph, TakesSizesAndTypes) {
  const std::string table = output_of(
      {"graph", "--length", "3", "--width", "8", "--head-size", "2", "--dtype", "float32", "--causal"});
  EXPECT_NE(table.find("causal_mask  head        (1, 3, 3)            (1, 3, 3)  0     head.scores"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("softmax      head        (1, 3, 3)            (1, 3, 3)  36"), std::string::npos)
      << table;
}

TEST(Graph, RefusesWhatItDoesNotKnow) {
  expect_refused({"graph", "--format", "svg"}, 2, "--format is 'svg', expected table or dot");
  expect_refused({"graph", "--length", "0"}, 2, "--length is '0', expected a whole number from 1 to 4096");
  expect_refused({"graph", "x"}, 2, "unexpected argument 'x'; wick graph --help tells the options");
}

}  // namespace
}  // namespace wick::tools
