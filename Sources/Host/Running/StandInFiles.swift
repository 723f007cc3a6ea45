import PluginAPI

/// Private files that stand in for input and output, with the user's original arguments.
///
/// Results and messages of a command show the user's arguments: the paths of the files are meaningless and short-lived.
struct StandInFiles: Sendable {
  /// The user's words by the paths of the files.
  private let originals: [String: String]

  init(originals: [String: String]) {
    self.originals = originals
  }

  /// Runs a command whose results and errors may name the files.
  ///
  /// - Parameters:
  ///   - output: The receiver of the command's output.
  ///   - body: Runs the command with the receiver it is given.
  @MainActor func restoringWords(
    to output: any CommandOutput, _ body: (any CommandOutput) async throws -> Void
  ) async throws {
    do {
      try await body(RestoringOutput(output: output, files: self))
    } catch let error as OutputError {
      throw error
    } catch let error as any ReportableError {
      throw restored(error.report)
    }
  }

  func restored(_ report: ErrorReport) -> ErrorReport {
    var report = report
    report.message = restored(report.message)
    report.advice = report.advice.map(restored)
    report.details = restored(report.details)
    return report
  }

  func restored(_ diagnostic: Diagnostic) -> Diagnostic {
    var diagnostic = diagnostic
    diagnostic.message = restored(diagnostic.message)
    diagnostic.advice = diagnostic.advice.map(restored)
    return diagnostic
  }

  /// Restores texts that are exactly a path, wherever they are in a value.
  func restored(_ value: Value) -> Value {
    var value = value
    switch value.content {
    case .text(let text): originals[text].map { value.content = .text($0) }
    case .list(let values): value.content = .list(values.map(restored))
    case .record(let record): value.content = .record(restored(record))
    default: break
    }
    return value
  }

  private func restored(_ record: Record) -> Record {
    Record(record.fields.map { Record.Field($0.name, restored($0.value)) })
  }

  private func restored(_ text: String) -> String {
    originals.reduce(text) { text, stand in
      var (result, remaining) = ("", Substring(text))
      while let character = remaining.first {
        if remaining.hasPrefix(stand.key) {
          result += stand.value
          remaining = remaining.dropFirst(stand.key.count)
        } else {
          result.append(character)
          remaining.removeFirst()
        }
      }
      return result
    }
  }
}

/// A receiver that restores the user's words.
private struct RestoringOutput: CommandOutput {
  let output: any CommandOutput
  let files: StandInFiles

  func emit(_ value: Value) async throws { try await output.emit(files.restored(value)) }
  func report(_ progress: Progress) { output.report(progress) }
  func warn(_ diagnostic: Diagnostic) { output.warn(files.restored(diagnostic)) }
  func request(_ request: CommandRequest) async throws -> Value { try await output.request(request) }
}
