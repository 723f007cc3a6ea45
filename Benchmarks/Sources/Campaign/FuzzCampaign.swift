import BenchmarkSupport
@preconcurrency import Glibc

/// A campaign of inputs, in child processes of a few thousand inputs each.
struct FuzzCampaign {
  var subject: String
  var seed: Int
  var folder: String

  private static let inputsPerChild = 5000
  /// An input slower than this, in milliseconds, is told.
  private static let slow = 1000.0
  /// After so many findings the campaign ends.
  private static let mostFindings = 20

  private struct Sum {
    var accepted = 0
    var slowest = 0.0
    var slowestNumber = 0
    var memory = 0.0
    var findings: [String] = []
  }

  /// Runs it and prints a line of JSON.
  ///
  /// - Returns: The exit status: 1 if there is a finding.
  func run(count: Int) -> Int32 {
    let scratch = ScratchFolder()
    defer { scratch.remove() }
    let progress = scratch.path + "/progress"
    let start = Timing.milliseconds()
    var sum = Sum()
    var next = 0
    while next < count, sum.findings.count < Self.mostFindings {
      let end = min(count, next + Self.inputsPerChild)
      next = runChild(next..<end, progress: progress, &sum)
    }
    unlink(progress)
    let seconds = ((Timing.milliseconds() - start) / 1000).rounded()
    let findings = sum.findings.map { "\"\($0)\"" }.joined(separator: ",")
    print(
      "{\"name\":\"\(subject)\",\"seed\":\(seed),\"inputs\":\(next),\"accepted\":\(sum.accepted),"
        + "\"slowestMilliseconds\":\(sum.slowest.rounded()),\"slowestInput\":\(sum.slowestNumber),"
        + "\"mostMemoryMiB\":\((sum.memory / 1024).rounded()),\"seconds\":\(seconds),\"findings\":[\(findings)]}")
    return sum.findings.isEmpty ? 0 : 1
  }

  /// Runs one child.
  ///
  /// - Returns: The input to go on with.
  private func runChild(_ numbers: Range<Int>, progress: String, _ sum: inout Sum) -> Int {
    let this = CommandLine.arguments[0]
    let (status, output) = Program.output([
      this, "work", subject, "\(seed)", "\(numbers.lowerBound)", "\(numbers.upperBound)", folder, progress,
    ])
    let words = output.split(whereSeparator: \.isWhitespace).suffix(4).compactMap { Double($0) }
    guard status == 0, words.count == 4 else {
      let number = at(progress) ?? numbers.lowerBound
      let cause =
        status == 128 + SIGALRM
        ? "took longer than \(FuzzWork.longestSeconds) s" : "ended the process, status \(status)"
      sum.findings.append("input \(number) \(cause)")
      return max(number, numbers.lowerBound) + 1
    }
    sum.accepted += Int(words[0])
    sum.memory = max(sum.memory, words[3])
    if words[1] > sum.slowest { (sum.slowest, sum.slowestNumber) = (words[1], Int(words[2])) }
    if words[1] > Self.slow { sum.findings.append("input \(Int(words[2])) took \(Int(words[1])) ms") }
    return numbers.upperBound
  }

  private func at(_ progress: String) -> Int? {
    guard let bytes = try? FileBytes.read(progress), bytes.count == 8 else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
  }
}
