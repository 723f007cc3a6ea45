import PluginAPI

/// An error in making, building or validating a plugin.
enum AuthorError: Error, Equatable, ReportableError {
  /// The SDK is not installed, or not complete.
  case noSDK(missing: String)
  /// The template of a language is not installed.
  case noTemplate(language: String, folder: String)
  /// The id cannot be that of a plugin.
  case badID(reason: String)
  /// The folder for a new plugin exists.
  case folderExists(String)
  /// The folder has nothing to build.
  case nothingToBuild(String)
  /// The build fails and there is nobody who could correct it.
  case buildFailed(String, problems: [String])
  /// Checks of a plugin failed.
  case findings(String, count: Int)
  /// A transcript is not JSON Lines of messages.
  case badTranscript(path: String, line: Int, reason: String)
  /// Transcripts can be recorded only of programs.
  case notAProgram(String)
  /// Changes of files cannot be watched.
  case cannotWatch(String, reason: String)

  /// The codes with their meanings.
  static let codes: [ErrorCodeDescription] = [
    .init("host.no-sdk", "the plugin SDK is not installed, or not complete"),
    .init("host.no-template", "the template for new plugins is not installed"),
    .init("host.bad-plugin-id", "the id of a new plugin is not allowed; choose another"),
    .init("host.folder-exists", "the folder for a new plugin exists; choose another"),
    .init("host.nothing-to-build", "the folder has neither a Package.swift nor a plugin.json"),
    .init("host.build-failed", "the plugin cannot be built; correct the errors"),
    .init("host.validation-failed", "checks of the plugin failed; they are listed on standard output"),
    .init("host.bad-transcript", "a transcript is not JSON Lines of messages; correct or record it"),
    .init("host.not-a-program", "transcripts can be recorded only of plugins that are programs"),
    .init("host.cannot-watch", "changes of files cannot be watched"),
    .init("host.plugin-look-alike", "warning: the id of a plugin looks like that of another one"),
    .init("host.build-problem", "an error of the compiler or the program while a plugin is developed"),
  ]

  var report: ErrorReport {
    switch self {
    case .noSDK(let missing):
      ErrorReport(
        code: "host.no-sdk", kind: .notFound, "the plugin SDK is not installed: '\(missing)' is missing",
        advice: "install the package 'workbench-dev', or run 'make build' in a checkout",
        details: ["missing": .text(missing)])
    case .noTemplate(let language, let folder):
      ErrorReport(
        code: "host.no-template", kind: .notFound, "there is no template for \(language) in '\(folder)'",
        advice: "install Workbench again")
    case .badID(let reason):
      ErrorReport(
        code: "host.bad-plugin-id", kind: .usage, "the plugin cannot be made: \(reason)",
        advice: "choose an id such as 'tide-tables'")
    case .folderExists(let folder):
      ErrorReport(
        code: "host.folder-exists", kind: .refused, "'\(folder)' already exists",
        advice: "choose another folder with '--folder'")
    case .nothingToBuild(let folder):
      ErrorReport(
        code: "host.nothing-to-build", kind: .notFound,
        "'\(folder)' has neither a Package.swift nor a plugin.json",
        advice: "name the folder of a plugin, or make one with 'workbench plugin new'")
    case .buildFailed(let folder, let problems):
      ErrorReport(
        code: "host.build-failed", kind: .failure,
        "the plugin in '\(folder)' cannot be built" + (problems.first.map { ": \($0)" } ?? ""),
        advice: "correct the errors", details: ["problems": .list(problems.map(Value.text))])
    case .findings(let path, let count):
      ErrorReport(
        code: "host.validation-failed", kind: .failure,
        "'\(path)' has \(count) \(count == 1 ? "finding" : "findings")", advice: "correct what the table lists")
    case .badTranscript(let path, let line, let reason):
      ErrorReport(
        code: "host.bad-transcript", kind: .unusableInput, "\(path):\(line): \(reason)",
        advice: "correct the line, or record the transcripts again with '--record'",
        details: ["file": .text(path), "line": .integer(line)])
    case .notAProgram(let path):
      ErrorReport(
        code: "host.not-a-program", kind: .usage, "'\(path)' is a library, which has no transcripts",
        advice: "omit '--record'")
    case .cannotWatch(let folder, let reason):
      ErrorReport(
        code: "host.cannot-watch", kind: .failure, "cannot watch '\(folder)' for changes: \(reason)",
        advice: "raise the limits in /proc/sys/fs/inotify, or develop a smaller folder")
    }
  }
}
