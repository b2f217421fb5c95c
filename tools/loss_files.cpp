#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include <wick/framework/float_text.h>
#include <wick/tools/loss_files.h>

namespace wick::tools {
namespace {

struct Point {
  double step;
  double loss;
};
using Curve = std::vector<Point>;

constexpr double kWidth = 800;
constexpr double kHeight = 420;
constexpr double kLeft = 64;
constexpr double kRight = 24;
constexpr double kTop = 48;
constexpr double kBottom = 56;
constexpr std::string_view kTrainingColour = "#4c78a8";
constexpr std::string_view kValidationColour = "#d1495b";

std::string formatted(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string coordinate(double number) { return formatted("%.1f", number); }

// 1, 2 or 5 times a power of ten, so that `most` takes no more than about six of them.
double tick_distance(double most) {
  const double power = std::pow(10, std::floor(std::log10(most / 6)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power * 6 >= most) return factor * power;
  }
  return 10 * power;
}

// Of every few steps the lowest and the highest loss, in their order: what the eye makes of all of them.
Curve thinned(const Curve& curve) {
  constexpr std::size_t kStretches = 700;  // about one for a pixel
  if (curve.size() <= 2 * kStretches) return curve;
  Curve result;
  for (std::size_t i = 0; i < kStretches; ++i) {
    const auto begin = curve.begin() + static_cast<std::ptrdiff_t>(i * curve.size() / kStretches);
    const auto end = curve.begin() + static_cast<std::ptrdiff_t>((i + 1) * curve.size() / kStretches);
    auto [low, high] =
        std::minmax_element(begin, end, [](const Point& a, const Point& b) { return a.loss < b.loss; });
    if (high < low) std::swap(low, high);
    result.push_back(*low);
    if (high != low) result.push_back(*high);
  }
  return result;
}

// Steps and losses to places in the picture.
class Axes {
 public:
  Axes(double last_step, double highest_loss) : last_step_(last_step), highest_loss_(highest_loss) {}

  double x(double step) const { return kLeft + (kWidth - kLeft - kRight) * step / last_step_; }
  double y(double loss) const {
    return kHeight - kBottom - (kHeight - kTop - kBottom) * loss / highest_loss_;
  }

  std::string drawn() const {
    std::string svg;
    const double loss_distance = tick_distance(highest_loss_);
    for (int i = 0; i * loss_distance <= highest_loss_ * 1.0001; ++i) {
      const std::string at = coordinate(y(i * loss_distance));
      svg += "<line x1=\"" + coordinate(kLeft) + "\" y1=\"" + at + "\" x2=\"" + coordinate(kWidth - kRight) +
             "\" y2=\"" + at + "\" stroke=\"" + (i == 0 ? "#444" : "#e4e4e4") + "\"/>\n";
      svg += "<text x=\"" + coordinate(kLeft - 8) + "\" y=\"" + at + "\" dy=\"0.35em\" text-anchor=\"end\">" +
             formatted("%g", i * loss_distance) + "</text>\n";
    }
    const double step_distance = std::max(1.0, tick_distance(last_step_));
    for (int i = 0; i * step_distance <= last_step_; ++i) {
      svg += "<text x=\"" + coordinate(x(i * step_distance)) + "\" y=\"" +
             coordinate(kHeight - kBottom + 20) + "\" text-anchor=\"middle\">" +
             formatted("%.0f", i * step_distance) + "</text>\n";
    }
    svg += "<text x=\"" + coordinate((kLeft + kWidth - kRight) / 2) + "\" y=\"" + coordinate(kHeight - 12) +
           "\" text-anchor=\"middle\">step</text>\n";
    svg += "<text transform=\"translate(18 " + coordinate((kTop + kHeight - kBottom) / 2) +
           ") rotate(-90)\" text-anchor=\"middle\">nats a character</text>\n";
    return svg;
  }

  std::string line(const Curve& curve, std::string_view colour, double width) const {
    if (curve.empty()) return "";
    std::string svg = "<polyline fill=\"none\" stroke-linejoin=\"round\" stroke=\"" + std::string(colour) +
                      "\" stroke-width=\"" + formatted("%g", width) + "\" points=\"";
    for (const Point& point : curve) {
      svg += coordinate(x(point.step)) + "," + coordinate(y(point.loss)) + " ";
    }
    svg.back() = '"';
    return svg + "/>\n";
  }

  std::string dots(const Curve& curve, std::string_view colour) const {
    std::string svg;
    for (const Point& point : curve) {
      svg += "<circle cx=\"" + coordinate(x(point.step)) + "\" cy=\"" + coordinate(y(point.loss)) +
             "\" r=\"3\" fill=\"" + std::string(colour) + "\"/>\n";
    }
    return svg;
  }

 private:
  double last_step_;
  double highest_loss_;
};

std::string legend(double x, const char* name, const Curve& curve, std::string_view colour) {
  if (curve.empty()) return "";
  return "<text x=\"" + coordinate(x) + "\" y=\"24\" fill=\"" + std::string(colour) + "\">" + name +
         ", at step " + formatted("%.0f", curve.back().step) + ": " + formatted("%.4f", curve.back().loss) +
         "</text>\n";
}

}  // namespace

std::string loss_csv(const std::vector<StepLosses>& losses) {
  std::string csv = "step,train_loss,val_loss\n";
  for (const StepLosses& one : losses) {
    csv += std::to_string(one.step) + "," + scalar_text(static_cast<float>(one.training)) + ",";
    if (one.validation) csv += scalar_text(*one.validation);
    csv += "\n";
  }
  return csv;
}

std::string loss_svg(const std::vector<StepLosses>& losses) {
  Curve training;
  Curve validation;
  double highest = 0;
  for (const StepLosses& one : losses) {
    const auto add = [&](Curve& curve, double loss) {
      if (!std::isfinite(loss)) return;
      curve.push_back({static_cast<double>(one.step), loss});
      highest = std::max(highest, loss);
    };
    add(training, one.training);
    if (one.validation) add(validation, *one.validation);
  }
  const double last_step = losses.empty() ? 1 : static_cast<double>(losses.back().step);
  const Axes axes(last_step, highest > 0 ? highest * 1.05 : 1);
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 420\" width=\"800\" height=\"420\" "
      "font-family=\"sans-serif\" font-size=\"13\" fill=\"#444\">\n"
      "<title>The loss, nats a character, over steps</title>\n"
      "<rect width=\"800\" height=\"420\" fill=\"white\"/>\n";
  svg += axes.drawn();
  svg += axes.line(thinned(training), kTrainingColour, 1.5);
  svg += axes.line(validation, kValidationColour, 1.5);
  if (validation.size() <= 50) svg += axes.dots(validation, kValidationColour);
  svg += legend(kLeft, "training", training, kTrainingColour);
  svg += legend(kLeft + 280, "validation", validation, kValidationColour);
  return svg + "</svg>\n";
}

}  // namespace wick::tools
