import PluginAPI
import Testing

private enum Mode: String, CaseIterable, ParameterValue { case ball, stick }

/// Arguments and options with types.
struct CommandInputTests {
  private let name = Argument("name", String.self, "Name")
  private let second = Argument("second", optional: Int.self, "Second")
  private let files = Argument("file", list: String.self, kind: .inputFile(extensions: ["pdb"]), "Files")
  private let mode = Option("mode", "Mode", default: Mode.ball)
  private let other = Option("other", Mode.self, "Other mode")
  private let count = Option("count", in: 1...9, "Count", default: 3)
  private let radius = Option("radius", in: 0.5...2, "Radius", unit: "angstrom", default: 1)
  private let day = Option("day", Instant.self, "Day")
  private let labels = Option("label", list: String.self, "Labels")
  private let all = Option(flag: "all", "All")

  @Test func `the description is derived from the inputs`() {
    let description = CommandDescription("draw", "draw", output: CommandDescription.Output(.any))
      .taking(name, mode, second, files, all, radius)
    #expect(description.arguments.map(\.name) == ["name", "second", "file"])
    #expect(description.arguments.map(\.isRequired) == [true, false, false])
    #expect(description.arguments[2].isRepeatable && description.arguments[2].kind == .inputFile(extensions: ["pdb"]))
    #expect(description.options.map(\.name) == ["mode", "all", "radius"])
    #expect(description.options[0].kind == .choice(["ball", "stick"]))
    #expect(description.options.map(\.defaultValue) == ["ball", false, 1.0])
    #expect(description.options[2].unit == "angstrom")
  }

  @Test func `values are converted to their types`() {
    #expect(name.content(of: "crambin") == "crambin")
    #expect(second.content(of: .null) == .some(nil))
    #expect(second.content(of: 4) == 4)
    #expect(files.content(of: ["a", "b"]) == ["a", "b"])
    #expect(files.content(of: .null) == [])
    #expect(mode.content(of: "stick") == .stick)
    #expect(other.content(of: .null) == .some(nil))
    #expect(other.content(of: "ball") == .some(.ball))
    #expect(count.content(of: 7) == 7)
    #expect(radius.content(of: 1) == 1)
    #expect(day.content(of: .date(Instant(seconds: 9))) == .some(Instant(seconds: 9)))
    #expect(labels.content(of: "x") == ["x"])
    #expect(all.content(of: true) == true)
  }

  @Test func `completions, another summary and a personal mark return a copy of the same type`() {
    let argument = name.completed(by: "list", column: "id", summaryColumn: "title", otherColumns: ["code"])
    #expect(
      argument.parameter.completion
        == Parameter.Completion(command: "list", column: "id", summaryColumn: "title", otherColumns: ["code"]))
    #expect(argument.parameter.name == "name" && argument.parameter.isRequired)
    #expect(argument.content(of: "crambin") == "crambin")
    let option = count.completed(by: "counts", column: "count").summarized("Own count").personal()
    #expect(option.parameter.completion == Parameter.Completion(command: "counts", column: "count"))
    #expect(option.parameter.summary == "Own count" && option.parameter.isPersonal)
    #expect(option.content(of: 7) == 7)
    #expect(name.parameter.completion == nil && count.parameter.completion == nil && !count.parameter.isPersonal)
  }

  @Test func `a value of another type has no content`() {
    #expect(name.content(of: 4) == nil)
    #expect(mode.content(of: "surface") == nil)
    #expect(labels.content(of: ["x", 4]) == nil)
    #expect(day.content(of: "2026-11-20") == nil)
  }
}

/// Dates as people write them.
struct InstantReadingTests {
  @Test(arguments: [
    ("2026-11-20", "2026-11-20T00:00:00Z"), ("2026-11-20T06:30", "2026-11-20T06:30:00Z"),
    ("1900-03-01", "1900-03-01T00:00:00Z"), ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"),
    ("0000-01-01", "0000-01-01T00:00:00Z"), ("2026-11-20T06:30:15.25Z", "2026-11-20T06:30:15.250Z"),
  ])
  func `a date, with or without a time of day, is read`(text: String, description: String) {
    #expect(Instant(iso8601: text)?.description == description)
  }

  @Test(arguments: [
    "", "2026", "2026-13-01", "2026-02-29", "1900-02-29", "2026-11-20T24:00", "2026-11-20 06:30", "1-2-3T", "T",
    "2026-11-20T", "2026-11-20T6:30", "2026-11-20T06:30.5", "2026-11-20T06:30:15.", "+026-11-20",
    "2026-11-20T06:30:15.1234567890",
    "２０２６-11-20",
  ])
  func `other texts are refused`(text: String) {
    #expect(Instant(iso8601: text) == nil)
  }

  @Test func `a date option accepts a text or a date`() throws {
    let parameter = Parameter("from", .date, "first day")
    #expect(try parameter.value(parsing: "1970-01-02") == .date(Instant(seconds: 86_400)))
    #expect(try parameter.value(accepting: .date(Instant(seconds: 5))) == .date(Instant(seconds: 5)))
    #expect(throws: ParameterError.self) { try parameter.value(parsing: "tomorrow") }
    #expect(try Parameter.Kind(value: Parameter.Kind.date.value) == .date)
    #expect(Instant(seconds: -1).startOfDay == Instant(seconds: -86_400))
  }

  @Test func `an instant has a date and a time of day, and can be offset`() {
    let instant = Instant(seconds: 1_795_208_820, nanoseconds: 250_000_000)
    #expect(instant.dateText == "2026-11-20" && instant.timeText == "21:07")
    #expect(Instant(seconds: .max).dateText == "292277026596-12-04" && Instant(seconds: .max).timeText == "15:30")
    #expect(instant.adding(seconds: -60).description == "2026-11-20T21:06:00.250Z")
  }
}
