import BenchmarkSupport
import JSONDocuments
import PluginText

/// Random documents, as PluginJSON and Python read them.
struct JSONPeers {
  var seed: Int

  /// The number of documents per Python process.
  private static let documentsAtOnce = 20_000
  /// After so many findings the campaign ends.
  private static let mostFindings = 20

  /// Runs it and prints a line of JSON.
  ///
  /// - Returns: The exit status: 1 if there is a finding.
  func run(count: Int) -> Int32 {
    var source = RandomJSON(SplitMix64(seed: UInt64(seed)))
    let start = Timing.milliseconds()
    var (next, accepted, findings) = (0, 0, [String]())
    while next < count, findings.count < Self.mostFindings {
      let documents = (0..<min(Self.documentsAtOnce, count - next)).map { _ in source.next() }
      guard let forms = PythonJSON.read(documents), forms.count == documents.count else {
        findings.append("python3 failed at document \(next)")
        break
      }
      for (document, form) in zip(documents, forms) {
        if form != "E" { accepted += 1 }
        let pieces = [max(1, document.count), 7]
        if pieces.contains(where: { PlainForm.read(document, piece: $0) != form }) {
          findings.append("document \(next)")
        }
        next += 1
      }
    }
    let seconds = ((Timing.milliseconds() - start) / 1000).rounded()
    let list = findings.prefix(Self.mostFindings).map { "\"\($0)\"" }.joined(separator: ",")
    print(
      "{\"name\":\"json\",\"seed\":\(seed),\"inputs\":\(next),\"accepted\":\(accepted),\"seconds\":\(seconds),"
        + "\"findings\":[\(list)]}")
    return findings.isEmpty ? 0 : 1
  }
}
