import PluginAPI
import Testing

@testable import Host

@MainActor struct LineParserTests {
  private func parse(_ words: String...) throws -> ParsedLine {
    try LineParser(table: CommandLineRun().interpreter.table).parse(words)
  }

  private func arguments(_ words: String...) throws -> Record {
    let line = try LineParser(table: CommandLineRun().interpreter.table).parse(words)
    guard case .run(_, let record) = line.request else { return Record() }
    return record
  }

  private func failure(_ words: String...) throws -> String {
    do {
      _ = try LineParser(table: CommandLineRun().interpreter.table).parse(words)
      return "no error"
    } catch {
      return ErrorReport(error).description
    }
  }

  @Test func `global options may come before, within and after a command`() throws {
    for words in [
      ["--json", "--timeout", "3", "sample", "measure", "distance", "1,2,3"],
      ["sample", "--json", "measure", "--timeout=3", "distance", "1,2,3"],
      ["sample", "measure", "distance", "1,2,3", "--timeout", "3", "--json"],
    ] {
      let line = try LineParser(table: CommandLineRun().interpreter.table).parse(words)
      #expect(line.options.format == .json && line.options.timeoutInSeconds == 3)
      guard case .run(let entry, let record) = line.request else { return }
      #expect(entry.words == "sample measure distance")
      #expect(record["point"] == .list([[1.0, 2.0, 3.0]]))
    }
  }

  @Test func `every global option sets its value`() throws {
    let options = try parse(
      "--csv", "--plain", "--color", "never", "--quiet", "--yes", "--no-input", "--home", "/h", "--plugin-dir", "/a",
      "--plugin-dir=/b", "--safe-mode", "--offline", "--dry-run", "--trace", "t.jsonl", "--record", "r.wbs", "version"
    ).options
    #expect(options.format == .csv && options.isPlain && options.color == .never && options.isQuiet)
    #expect(options.assumeYes && options.noInput && options.home == "/h" && options.pluginFolders == ["/a", "/b"])
    #expect(options.isSafeMode && options.isOffline && options.isDryRun)
    #expect(options.traceFile == "t.jsonl" && options.recordFile == "r.wbs")
    #expect(try parse("version", "--tsv").options.format == .tsv)
    #expect(try parse("version", "--jsonl").options.format == .jsonLines)
  }

  @Test func `picture options are accepted only by commands with pictures`() throws {
    let options = try parse("sample", "render", "--graphics", "braille", "--size", "20x10", "--output", "x.png").options
    #expect(options.picture == .init(graphics: .braille, size: Size(width: 20, height: 10)))
    #expect(options.outputFile == "x.png")
    func advice(_ command: String) -> String { "list its options with 'workbench help \(command)'" }
    #expect(
      try failure("sample", "list", "--size", "1x1")
        == "'sample list' does not produce a picture, so it does not accept '--size'; \(advice("sample list"))")
    #expect(try failure("sample", "render", "--size", "big").hasPrefix("'big' is not a size such as 120x40"))
    #expect(
      try failure("sample", "render", "--output", "x.jpg")
        == "'x.jpg' is not a file name that ends in .png, or - for 'output'")
    for name in ["-", "/dev/stdout", "/dev/fd/1"] {
      #expect(try parse("--output", name, "sample", "render").options.outputFile == "-")
    }
    #expect(try parse("sample", "info", "basalt", "--output", "names.txt").options.outputFile == "names.txt")
  }

  @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func `a trace or record cannot go to standard output`(file: String) throws {
    for option in ["trace", "record"] {
      #expect(
        try failure("--\(option)", file, "version")
          == "'\(file)' is not a file other than standard output for '\(option)'")
    }
  }

  @Test func `a file given instead of a command is opened`() throws {
    guard case .run(let entry, let record) = try parse("/proc/self/status", "--headless", "10x5").request else {
      return
    }
    #expect(entry.words == "open" && record["file"] == "/proc/self/status" && record["headless"] == "10x5")
    guard case .run(let opening, let input) = try parse("-", "--headless", "10x5").request else { return }
    #expect(opening.words == "open" && input["file"] == "-" && input["headless"] == "10x5")
    #expect(try failure("/proc/self").contains("is not a command, plugin or file"))
    #expect(try failure("/nonexistent/file").contains("is not a command, plugin or file"))
  }

  @Test func `a command's own option overrides a global one of the same name`() throws {
    #expect(try arguments("sample", "render", "--color", "red")["color"] == "red")
    let line = try parse("--color", "never", "sample", "render", "--color=red")
    #expect(line.options.color == .never)
    #expect(try failure("sample", "render", "--color", "never").contains("'never' is not one of grey, red"))
  }

  @Test func `negative numbers are values, and '--' ends the options`() throws {
    let record = try arguments(
      "sample", "measure", "distance", "-1,2,-.5", "--scale", "-2", "--round", "--tag", "a", "--tag=b")
    #expect(record["point"] == .list([[-1.0, 2.0, -0.5]]))
    #expect(record["scale"] == -2.0 && record["round"] == true && record["tag"] == ["a", "b"])
    #expect(try arguments("sample", "echo", "a", "--", "--json", "-x")["words"] == ["a", "--json", "-x"])
    #expect(try arguments("sample", "echo", "-")["words"] == ["-"])
  }

  @Test func `error messages name the mistake and the correction`() throws {
    #expect(try failure("--jsno", "version") == "there is no option '--jsno'; did you mean '--json'?")
    #expect(
      try failure("sample", "measure", "distance", "1,2,3", "--scael", "2")
        == "'sample measure distance' has no option '--scael'; did you mean '--scale'?")
    #expect(try failure("version", "-j").hasPrefix("'version' has no option '-j'"))
    #expect(
      try failure("smaple", "list") == "'smaple' is not a command, plugin or file; did you mean 'sample'?")
    #expect(try failure("sample", "lst") == "'sample' has no command 'lst'; did you mean 'list'?")
    #expect(try failure("sample", "measure", "x") == "'sample measure' has no command 'x'; commands are distance")
    #expect(
      try failure("config") == "'config' needs a command: get, set, unset, list, explain")
    #expect(try failure("sample").hasSuffix("show its screen with 'workbench run sample'"))
    #expect(
      try failure("version", "--timeout")
        == "option '--timeout' needs a value: a number from 0.001 to 1000000000 (s)")
    #expect(try failure("version", "--home", "--json").hasPrefix("option '--home' needs a value"))
    #expect(try failure("sample", "info").hasPrefix("'sample info' needs ROCK: an id or a file"))
    #expect(
      try failure("sample", "info", "a", "b").hasPrefix("'sample info' accepts one argument, so 'b' is unexpected"))
    #expect(
      try failure("sample", "measure", "distance", "1,2")
        == "'1,2' is not 3 numbers separated by commas (metre) for 'point'")
  }

  @Test func `'help' after a plugin or command shows its help`() throws {
    for (words, name) in [
      (["sample", "help"], ["sample"]),
      (["sample", "help", "measure", "distance"], ["sample", "measure", "distance"]),
      (["sample", "measure", "help"], ["sample", "measure"]), (["--json", "config", "help"], ["config"]),
    ] {
      let line = try LineParser(table: CommandLineRun().interpreter.table).parse(words)
      guard case .help(let found) = line.request else {
        Issue.record("\(words) asks for help")
        continue
      }
      #expect(found == name)
    }
    #expect(try arguments("sample", "echo", "help")["words"] == ["help"])
  }

  @Test func `'--help' is accepted anywhere in a command`() throws {
    for words in [["-h"], ["--help"], ["sample", "list", "-h"], ["sample", "--help", "measure"]] {
      let line = try LineParser(table: CommandLineRun().interpreter.table).parse(words)
      guard case .help(let name) = line.request else {
        Issue.record("\(words) asks for help")
        continue
      }
      #expect(name == words.filter { !$0.hasPrefix("-") })
    }
    #expect(try arguments("sample", "echo", "--", "-h")["words"] == ["-h"])
  }

  @Test func `the home screen opens without a command`() throws {
    guard case .run(let entry, let record) = try parse("--headless", "10x5").request else { return }
    #expect(entry.words == "run" && record["headless"] == "10x5")
  }

  @Test func `global options are read before the command is known`() {
    // A command may have options of its own that are called as those for pictures.
    let picture = GlobalOption.scan(["sample", "render", "--output", "x.png", "--size", "9x9", "--home", "/h"])
    #expect(picture.home == "/h" && picture.picture == .init() && picture.outputFile == nil)
    #expect(picture.given == ["home"])
    let options = GlobalOption.scan(["sample", "render", "--home", "/h", "--color", "red", "--", "--json"])
    #expect(options.home == "/h" && options.color == .auto && options.format == .text)
  }

  @Test func `picture options are not read early, as a command may declare its own`() {
    let options = GlobalOption.scan(["sample", "draw", "--output", "x.png", "--home", "/h"])
    #expect(options.given == ["home"] && options.home == "/h")
  }
}
