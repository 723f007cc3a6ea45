import PluginAPI

/// An error when creating, building or validating a plugin.
enum AuthorError {
  private static let noSDK = DeclaredError("host.no-sdk", .notFound, "the plugin SDK is missing or incomplete")
  static func noSDK(missing: String) -> ErrorReport {
    noSDK(
      "the plugin SDK is not installed: '\(missing)' is missing",
      advice: "install the package 'workbench-dev', or run 'make build' in a checkout",
      details: ["missing": .text(missing)])
  }
  private static let noTemplate = DeclaredError(
    "host.no-template", .notFound, "the template for new plugins is not installed")
  static func noTemplate(language: String, folder: String) -> ErrorReport {
    noTemplate("there is no template for \(language) in '\(folder)'", advice: "install Workbench again")
  }
  private static let badID = DeclaredError(
    "host.bad-plugin-id", .usage, "the id of a new plugin is not allowed; choose another")
  static func badID(reason: String) -> ErrorReport {
    badID("the plugin cannot be created: \(reason)", advice: "choose an id such as 'tide-tables'")
  }
  private static let folderExists = DeclaredError(
    "host.folder-exists", .refused, "the folder for a new plugin already exists; choose another")
  static func folderExists(_ folder: String) -> ErrorReport {
    folderExists("'\(folder)' already exists", advice: "choose another folder with '--folder'")
  }
  private static let nothingToBuild = DeclaredError(
    "host.nothing-to-build", .notFound, "the folder has neither a Package.swift nor a plugin.json")
  static func nothingToBuild(_ folder: String) -> ErrorReport {
    nothingToBuild(
      "'\(folder)' has neither a Package.swift nor a plugin.json",
      advice: "name the folder of a plugin, or create one with 'workbench plugin new'")
  }
  static let buildFailed = DeclaredError(
    "host.build-failed", .failure, "the plugin cannot be built; correct the errors")
  static func buildFailed(_ folder: String, problems: [String]) -> ErrorReport {
    buildFailed(
      "the plugin in '\(folder)' cannot be built" + (problems.first.map { ": \($0)" } ?? ""),
      advice: "correct the errors", details: ["problems": .list(problems.map(Value.text))])
  }
  private static let findings = DeclaredError(
    "host.validation-failed", .failure, "checks of the plugin failed; they are listed on standard output")
  static func findings(_ path: String, count: Int) -> ErrorReport {
    findings("'\(path)' has \(count) \(count == 1 ? "finding" : "findings")", advice: "correct what the table lists")
  }
  private static let badTranscript = DeclaredError(
    "host.bad-transcript", .unusableInput, "a transcript is not JSON Lines of messages; correct or record it")
  static func badTranscript(path: String, line: Int, reason: String) -> ErrorReport {
    badTranscript(
      "\(path):\(line): \(reason)", advice: "correct the line, or record the transcripts again with '--record'",
      details: ["file": .text(path), "line": .integer(line)])
  }
  static let notAProgramCode = DeclaredError(
    "host.not-a-program", .usage, "transcripts can be recorded only for plugins that are programs")
  static func notAProgram(_ path: String) -> ErrorReport {
    notAProgramCode("'\(path)' is a library, which has no transcripts", advice: "omit '--record'")
  }
  private static let cannotWatch = DeclaredError("host.cannot-watch", .failure, "files cannot be watched for changes")
  static func cannotWatch(_ folder: String, reason: String) -> ErrorReport {
    cannotWatch(
      "cannot watch '\(folder)' for changes: \(reason)",
      advice: "raise the limits in /proc/sys/fs/inotify, or develop a smaller folder")
  }

  /// The codes with their meanings.
  static let codes =
    [
      noSDK, noTemplate, badID, folderExists, nothingToBuild, buildFailed, findings, badTranscript, notAProgramCode,
      cannotWatch,
    ].map(\.catalogueEntry) + [
      .init("host.plugin-look-alike", "warning: the id of a plugin looks like that of another one"),
      .init("host.build-problem", "an error of the compiler or the program while a plugin is developed"),
    ]
}
