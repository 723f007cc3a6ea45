import PluginAPI
import Testing

private enum Datum: String, CaseIterable, ParameterValue { case chart, mean }

/// Settings with types.
struct SettingTests {
  private let datum = Setting("datum", "Level that heights refer to", default: Datum.chart)
  private let server = Setting("server", String.self, "Address of the server")
  private let step = Setting("step", in: 1...60, "Time between heights", unit: "minute", default: 10)
  private let limit = Setting("limit", in: 0.5...2, "Limit", default: 1)
  private let isQuiet = Setting(flag: "quiet", "No sounds")
  private let isLogged = Setting(flag: "log", "Log of changes", default: true)

  @Test func `a setting's declaration equals a parameter's`() {
    #expect(
      datum.parameter
        == Parameter("datum", .choice(["chart", "mean"]), "Level that heights refer to", defaultValue: "chart"))
    #expect(server.parameter == Parameter("server", .text, "Address of the server"))
    #expect(
      step.parameter
        == Parameter(
          "step", .integer(minimum: 1, maximum: 60), "Time between heights", unit: "minute", defaultValue: 10))
    // A whole number is an integer, so that JSON has 1, not 1.0.
    #expect(limit.parameter == Parameter("limit", .number(minimum: 0.5, maximum: 2), "Limit", defaultValue: 1))
    #expect(Setting("pause", in: 0.0...60, "Pause", default: 0.5).parameter.defaultValue == .number(0.5))
    #expect(isQuiet.parameter == Parameter("quiet", .flag, "No sounds"))
    #expect(isLogged.parameter == Parameter("log", .flag, "Log of changes", defaultValue: true))
  }

  @Test func `values are converted to their types`() {
    #expect(datum.content(of: "mean") == .mean)
    #expect(server.content(of: "https://tides.example") == "https://tides.example")
    #expect(server.content(of: .null) == nil)
    #expect(step.content(of: 30) == 30)
    #expect(limit.content(of: 2) == 2)
    #expect(isQuiet.content(of: true) && !isLogged.content(of: false))
  }

  @Test func `the default replaces an unreadable value`() {
    #expect(datum.content(of: "sea") == .chart)
    #expect(server.content(of: 4) == nil)
    #expect(step.content(of: "often") == 10)
    #expect(limit.content(of: .null) == 1)
    #expect(!isQuiet.content(of: .null) && isLogged.content(of: .null))
  }
}
