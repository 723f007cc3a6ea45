import PluginAPI
import PluginText

/// The decisions required before items are captured again.
///
/// A capture is an act on a person; one that may already have happened is not repeated without confirmation.
struct CaptureDecisions: Sendable {
  let call: CommandCall
  let records: RecordStore

  /// Asks about items with an open earlier capture.
  ///
  /// An item named on its own counts as decided, unless the user only now learns of its open capture.
  /// - Parameter news: Items whose capture just turned out to be open.
  /// - Returns: The items that are to be captured, and the numbers of those that are left out.
  func decided(
    _ items: [BiometricItem], news: Set<Int>
  ) async throws -> (items: [BiometricItem], left: [Int]) {
    if call[CaptureCommand.again] { return (items, []) }
    let isNamed = call[CaptureCommand.item] != nil
    let asked = isNamed ? items.filter { news.contains($0.id) } : items
    let entries = try await records.newestEntries(of: asked.map(\.id))
    var taken: [BiometricItem] = []
    var left: [Int] = []
    for item in items {
      if let question = entries[item.id].flatMap({ CaptureQuestion([$0]) }), try await !isWanted(item, question) {
        left.append(item.id)
      } else {
        taken.append(item)
      }
    }
    return (taken, left)
  }

  private func isWanted(_ item: BiometricItem, _ question: CaptureQuestion) async throws -> Bool {
    let words = "item \(item.id): \(SanitizedText.line(question.words, limit: 300))"
    let answer = try await call.ask(PromptRequest("\(words). Type 'yes' to capture it again"))
    if answer?.lowercased() == "yes" { return true }
    call.warn(
      Diagnostic(
        .warning, code: "wsabi.decision-needed", "\(words); it is not captured again by itself",
        advice: "if the person is still there, 'capture \(item.id)' or '--again' captures it again"))
    return false
  }
}
