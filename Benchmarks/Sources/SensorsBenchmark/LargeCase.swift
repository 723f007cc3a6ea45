import BenchmarkSupport
import Glibc
import PluginNet

@testable import WSABI

/// A capture of 100 MB: the memory it takes from the first byte of the sensor to the record, and how quickly data comes
/// into the store.
struct LargeCase {
  let workbench: String

  private static let size = 100_000_000
  private static let piece = 1 << 18

  func run() async throws {
    try await download()
    try await sink()
  }

  private func download() async throws {
    let options = ["--capture-size", "\(Self.size)", "--pictures", "quick", "--capture-delay", "0"]
    guard let process = SensorProcess(workbench, sensors: 1, options) else {
      return Measurement.skip("large: a capture of 100 MB", because: "no simulated sensor to be had")
    }
    // Before the store hides what the process has in memory.
    _ = ResidentMemory.forgetPeak()
    let store = try await BenchmarkStore(process.addresses)
    let links = store.links()
    var (times, grown): ([Double], [Double]) = ([], [])
    for _ in 0..<5 {
      guard ResidentMemory.forgetPeak(), let before = ResidentMemory.kibibytes else {
        return Measurement.skip("large: a capture of 100 MB", because: "the kernel does not tell the memory")
      }
      let start = Timing.milliseconds()
      let report = await links.capture(store.orders[0])
      guard report.records.count == 1 else {
        return Measurement.skip("large: a capture of 100 MB", because: "the sensor gave nothing")
      }
      times.append(Timing.milliseconds() - start)
      grown.append(Double((ResidentMemory.peakInKibibytes ?? 0) - before) / 1024)
    }
    await links.close()
    await store.remove()
    Measurement("large: memory the first capture of 100 MB takes", grown[0], unit: "MiB", bar: 32).print()
    Measurement("large: memory a further one takes", grown.dropFirst().max() ?? 0, unit: "MiB", bar: 32).print()
    let rate = Double(Self.size) / 1e6 / (Timing.median(times) / 1000)
    Measurement("large: from the capture's request to the record, over HTTP and XML", rate, unit: "MB/s").print()
  }

  /// Measures writing data from memory into a sealed record, and for comparison the same bytes with `write` and
  /// `fsync`.
  private func sink() async throws {
    let store = try await BenchmarkStore(["http://127.0.0.1:1/sensor"])
    let order = store.orders[0]
    var bytes = [UInt8](repeating: 0, count: Self.piece)
    for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: place &* 2_654_435_761 >> 11) }
    var (ours, plain): ([Double], [Double]) = ([], [])
    for round in 0..<5 {
      guard let session = SensorUUID("0B000000-0000-4000-8000-000000000000"),
        let id = SensorUUID("0C000000-0000-4000-8000-00000000000\(round)")
      else { return }
      let number = try await store.records.begin(
        CaptureIntent(item: order.item, address: order.address, session: session, configuration: order.configuration))
      _ = try await store.records.captured(number, ids: [id])
      let start = Timing.milliseconds()
      let sink = try await store.records.sink(number, id)
      for _ in 0..<(Self.size / Self.piece) { try bytes.withUnsafeBytes { try sink.write($0) } }
      let answer = SensorAnswer(status: .success, contentType: "image/bmp", namespace: .bioserv)
      _ = try await store.records.keep(number, sink, FinishedDownload(id: id, answer: answer, start: []))
      ours.append(Timing.milliseconds() - start)
      try await store.records.end(number, .captured)
      plain.append(writePlain(bytes))
    }
    await store.remove()
    let size = Double(Self.size / Self.piece * Self.piece) / 1e6 * 1000
    Measurement(
      "large: 100 MB into the store, sealed, hashed and on the device", size / Timing.median(ours), unit: "MB/s",
      peer: ("write and fsync of the plain bytes", size / Timing.median(plain)), floor: 200
    ).print()
  }

  private func writePlain(_ bytes: [UInt8]) -> Double {
    let scratch = ScratchFolder()
    defer { _ = Program.run(["rm", "-rf", scratch.path]) }
    let start = Timing.milliseconds()
    let file = open(scratch.path + "/plain", O_WRONLY | O_CREAT, 0o600)
    for _ in 0..<(Self.size / Self.piece) { _ = write(file, bytes, bytes.count) }
    fsync(file)
    close(file)
    return Timing.milliseconds() - start
  }
}
