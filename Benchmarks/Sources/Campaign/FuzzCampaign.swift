import BenchmarkSupport
@preconcurrency import Glibc

/// A campaign of inputs, in child processes of a few thousand inputs each.
struct FuzzCampaign {
  var subject: String
  var seed: Int
  var folder: String

  private static let inputsPerChild = 5000
  /// After so many findings the campaign ends.
  private static let mostFindings = 20

  /// Runs it and prints a line of JSON.
  ///
  /// - Returns: The exit status: 1 if there is a finding.
  func run(count: Int) -> Int32 {
    let scratch = ScratchFolder()
    defer { scratch.remove() }
    let progress = scratch.path + "/progress"
    let start = Timing.milliseconds()
    var (sum, findings, next) = (FuzzSum(), [String](), 0)
    while next < count, findings.count < Self.mostFindings {
      next = runChild(next..<min(count, next + Self.inputsPerChild), progress: progress, &sum, &findings)
    }
    unlink(progress)
    let seconds = ((Timing.milliseconds() - start) / 1000).rounded()
    let list = findings.prefix(Self.mostFindings).map { "\"\($0)\"" }.joined(separator: ",")
    print(
      "{\"name\":\"\(subject)\",\"seed\":\(seed),\"inputs\":\(next),\"accepted\":\(sum.accepted),"
        + "\"slowestMilliseconds\":\(sum.slowest.figure.rounded()),\"slowestInput\":\(sum.slowest.number),"
        + "\"mostMemoryPerByte\":\((sum.ratio.figure * 100).rounded() / 100),"
        + "\"mostMemoryInput\":\(sum.ratio.number),\"mostMemoryMiB\":\((sum.memory / 1024).rounded()),"
        + "\"seconds\":\(seconds),\"findings\":[\(list)]}")
    return findings.isEmpty ? 0 : 1
  }

  /// Runs one child.
  ///
  /// - Returns: The input to continue with.
  private func runChild(
    _ numbers: Range<Int>, progress: String, _ sum: inout FuzzSum, _ findings: inout [String]
  ) -> Int {
    let this = CommandLine.arguments[0]
    let (status, output) = Program.output([
      this, "work", subject, "\(seed)", "\(numbers.lowerBound)", "\(numbers.upperBound)", folder, progress,
    ])
    let lines = output.split(separator: "\n")
    let told = lines.filter { $0.hasPrefix(FuzzWork.finding) }
    findings += told.map { String($0.dropFirst(FuzzWork.finding.utf8.count)) }
    guard status == 0, let part = lines.last.flatMap({ FuzzSum(words: $0) }) else {
      let number = at(progress) ?? numbers.lowerBound
      let cause =
        status == 128 + SIGALRM
        ? "took longer than \(FuzzWork.longestSeconds) s" : "ended the process, status \(status)"
      findings.append("input \(number) \(cause)")
      return max(number, numbers.lowerBound) + 1
    }
    sum.add(part)
    return numbers.upperBound
  }

  private func at(_ progress: String) -> Int? {
    guard let bytes = try? FileBytes.read(progress), bytes.count == 8 else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
  }
}
