#include <wick/models/corpus.h>

namespace wick {
namespace {

constexpr std::string_view kPassage =
    "the lamp keeper walks the shore at dusk. the lamp keeper lights the lantern when the fog rolls "
    "in. the boats come home when the lantern glows. the boats wait outside the bay when the fog is "
    "thick. a small boat drifts near the rocks at dawn. the keeper rings the bell when a boat drifts "
    "near the rocks. the tide rises at dusk and falls at dawn. the gulls call over the bay when the "
    "tide is low. the keeper counts the boats and writes the count in a book. the lantern burns all "
    "night and rests at dawn. ";
static_assert(kPassage.size() == 501);

constexpr int kRepeats = 20;

}  // namespace

std::string_view lantern_bay_passage() { return kPassage; }

std::string lantern_bay() {
  std::string corpus;
  corpus.reserve(kPassage.size() * kRepeats);
  for (int i = 0; i < kRepeats; ++i) corpus += kPassage;
  return corpus;
}

}  // namespace wick
