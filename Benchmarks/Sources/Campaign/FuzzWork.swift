import BenchmarkSupport
@preconcurrency import Glibc

/// A child's share of a campaign.
struct FuzzWork {
  var subject: any FuzzSubject
  var seed: Int
  /// The file whose eight bytes say which input is being read.
  var progress: String

  /// An input that takes longer is a hang.
  static let longestSeconds: UInt32 = 10
  /// The most memory the process may take, in bytes.
  static let memoryLimit: UInt = 4 << 30

  /// Reads inputs and prints what came of it: accepted, slowest in milliseconds, its number, most memory in KiB.
  func run(_ numbers: Range<Int>) {
    var limit = rlimit(rlim_cur: Self.memoryLimit, rlim_max: Self.memoryLimit)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    let file = open(progress, O_RDWR | O_CREAT, 0o600)
    guard file >= 0, ftruncate(file, 8) == 0, let page = mmap(nil, 8, PROT_WRITE, MAP_SHARED, file, 0),
      page != MAP_FAILED
    else { fatalError("the file '\(progress)' cannot be written") }
    var (accepted, slowest, slowestNumber) = (0, 0.0, numbers.lowerBound)
    for number in numbers {
      page.storeBytes(of: number, as: Int.self)
      let bytes = FuzzInput(seed: seed, number: number).bytes(for: subject)
      alarm(Self.longestSeconds)
      let start = Timing.milliseconds()
      if subject.read(bytes) { accepted += 1 }
      let time = Timing.milliseconds() - start
      if time > slowest { (slowest, slowestNumber) = (time, number) }
    }
    alarm(0)
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    print(accepted, slowest, slowestNumber, usage.ru_maxrss)
  }
}
