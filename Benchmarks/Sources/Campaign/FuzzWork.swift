import BenchmarkSupport
@preconcurrency import Glibc

/// A child's share of a campaign.
struct FuzzWork {
  var subject: any FuzzSubject
  var seed: Int
  /// The file whose eight bytes identify the input being read.
  var progress: String

  /// The time limit of an input, beyond which it counts as a hang.
  static let longestSeconds: UInt32 = 10
  /// The time in milliseconds above which an input is reported.
  static let slow = 1000.0
  /// The most memory the process may take, in bytes.
  static let memoryLimit: UInt = 4 << 30
  /// The prefix of an output line that reports a finding.
  static let finding = "finding: "

  private func timed(_ bytes: [UInt8]) -> (reading: FuzzReading, time: Double) {
    let start = Timing.milliseconds()
    let reading = subject.read(bytes)
    return (reading, Timing.milliseconds() - start)
  }

  /// Reads inputs and prints findings, then ``FuzzSum/words``.
  func run(_ numbers: Range<Int>) {
    var limit = rlimit(rlim_cur: Self.memoryLimit, rlim_max: Self.memoryLimit)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    let file = open(progress, O_RDWR | O_CREAT, 0o600)
    guard file >= 0, ftruncate(file, 8) == 0, let page = mmap(nil, 8, PROT_WRITE, MAP_SHARED, file, 0),
      page != MAP_FAILED
    else { fatalError("the file '\(progress)' cannot be written") }
    var sum = FuzzSum()
    for number in numbers {
      page.storeBytes(of: number, as: Int.self)
      let bytes = FuzzInput(seed: seed, number: number).bytes(for: subject)
      alarm(Self.longestSeconds)
      let (reading, first) = timed(bytes)
      // Another process may have used the processor meanwhile: a slow input is slow again.
      let time = first > Self.slow ? min(first, timed(bytes).time) : first
      if reading.isAccepted { sum.accepted += 1 }
      sum.slowest = max(sum.slowest, FuzzSum.Most(time, number))
      if time > Self.slow { print(Self.finding + "input \(number) took \(Int(time)) ms") }
      guard let memory = reading.memory else { continue }
      sum.ratio = max(sum.ratio, FuzzSum.Most(memory.ratio, number))
      if memory.isTooMuch {
        print(Self.finding + "input \(number) took \(memory.growth) bytes for \(memory.content)")
      }
    }
    alarm(0)
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    sum.memory = Double(usage.ru_maxrss)
    print(sum.words)
  }
}
