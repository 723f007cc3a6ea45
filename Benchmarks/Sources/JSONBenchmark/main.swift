import BenchmarkSupport
import CYajl
import PluginJSON

// Times of reading and writing JSON, one JSON line each; the shortest of several rounds counts.
//
// A document of a hundred thousand rows goes through the reader in pieces of 64 KiB, which are copied into one buffer
// as from a network, and every event is counted. The peer is yajl itself, driven from C in the same run with the same
// pieces and the same counting.

let document = TableDocument(rows: 100_000).bytes
let piece = 1 << 16
let megabytes = Double(document.count) / 1e6

/// The counts of the handler.
private struct Sum {
  var events = 0
  var bytes = 0
}

/// Counts in plain memory, as the peer does: members of an object are watched for overlapping access.
private func readAll() throws -> Sum {
  let sum = UnsafeMutablePointer<Sum>.allocate(capacity: 1)
  sum.initialize(to: Sum())
  defer { sum.deallocate() }
  let reader = try JSONReader { event in
    sum.pointee.events &+= 1
    switch event {
    case .key(let text), .text(let text), .number(let text): sum.pointee.bytes &+= text.bytes.count
    default: break
    }
    return .more
  }
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 16)
  defer { buffer.deallocate() }
  try document.withUnsafeBytes { bytes in
    for start in stride(from: 0, to: bytes.count, by: piece) {
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + piece)])
      buffer.copyMemory(from: part)
      try reader.push(UnsafeRawBufferPointer(rebasing: buffer[..<part.count]))
    }
  }
  try reader.finish()
  return sum.pointee
}

/// Reads with the library alone.
func readBare(checksText: Bool) -> cyajl_sum {
  var sum = cyajl_sum()
  let status = cyajl_read(document, document.count, piece, checksText ? 1 : 0, &sum)
  precondition(status == 0, "the document is JSON")
  return sum
}

do {
  var (ours, bare, unchecked) = (Double.infinity, Double.infinity, Double.infinity)
  // In turns, so that other work on the machine affects all alike.
  for _ in 0..<9 {
    var (sum, other) = (Sum(), cyajl_sum())
    ours = min(ours, try Timing.best(of: 1) { sum = try readAll() })
    bare = min(bare, Timing.best(of: 1) { other = readBare(checksText: true) })
    unchecked = min(unchecked, Timing.best(of: 1) { _ = readBare(checksText: false) })
    precondition(sum.events == other.events && sum.bytes == other.bytes, "both see the same")
  }
  let size = "\(Int(megabytes.rounded())) MB"
  Measurement(
    "read a table of \(size) of JSON", megabytes * 1000 / ours, unit: "MB/s",
    peer: ("yajl from C", megabytes * 1000 / bare), floor: 0.9 * megabytes * 1000 / bare
  ).print()
  Measurement(
    "read a table of \(size) of JSON, the peer without its check of UTF-8", megabytes * 1000 / ours, unit: "MB/s",
    peer: ("yajl from C", megabytes * 1000 / unchecked)
  ).print()
} catch {
  print("{\"name\":\"json\",\"error\":\"\(error)\"}")
}
