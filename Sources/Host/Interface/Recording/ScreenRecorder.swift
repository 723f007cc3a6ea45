internal import Glibc
import PluginAPI

/// Records the user's steps on screens as lines of a script.
///
/// A line is in the file once its step has been performed; typed characters are collected to one line until another
/// step follows. The recording holds no times.
@MainActor final class ScreenRecorder {
  private let path: String
  private var size: Size
  /// The characters typed since the last line; nil if they are left out.
  private var typed: String?
  private var hasTyped = false
  private var isStopped = false
  /// Receives the error that ends the recording.
  var onFailure: (@MainActor (ErrorReport) -> Void)?

  /// Begins a recording with the line that shows the screens.
  ///
  /// - Parameters:
  ///   - path: The script. A new file is readable by its owner alone; lines are added to an existing file.
  ///   - launch: The first screen.
  ///   - size: The size of the screens in cells.
  ///   - isPersonal: True to leave out the documents.
  /// - Throws: ``HostFileError`` if the file cannot be written.
  init(_ path: String, _ launch: ScreenLaunch, size: Size, isPersonal: Bool) throws {
    self.path = HostFile.absolute(path)
    self.size = size
    var arguments: Record = ["size": .text(StepText.size(size))]
    arguments["plugin"] = launch.plugin.map(Value.text)
    arguments["screen"] = launch.screen.map(Value.text)
    if !launch.documents.isEmpty {
      arguments["document"] = .list(launch.documents.map { isPersonal ? PersonalArguments.mark : .text($0) })
    }
    try write(ScreenStepForm.start.words(arguments))
  }

  /// Adds a step.
  func add(_ step: ScreenStep) {
    guard !isStopped else { return }
    if case .type(let text) = step {
      if hasTyped, (typed == nil) != (text == nil) { writeTyped() }
      typed = text.map { (typed ?? "") + $0 }
      hasTyped = true
      return
    }
    writeTyped()
    append(step)
    if case .end = step { isStopped = true }
  }

  /// Adds a step for a new size of the screens.
  func resized(to new: Size) {
    if new == size { return }
    size = new
    add(.resize(new))
  }

  private func writeTyped() {
    guard hasTyped else { return }
    append(.type(typed))
    (typed, hasTyped) = (nil, false)
  }

  private func append(_ step: ScreenStep) {
    guard !isStopped else { return }
    do {
      try write(step.words)
    } catch {
      isStopped = true
      onFailure?(ErrorReport(error))
    }
  }

  private func write(_ words: [String]) throws(HostFileError) {
    try HostFile.append(Array((ScriptQuoting.line(words) + "\n").utf8), to: path)
  }
}

extension StoredContributions {
  /// A Boolean value indicating whether the plugin declares personal data.
  var hasPersonalData: Bool {
    commands.contains { command in (command.arguments + command.options).contains(where: \.isPersonal) }
  }
}
