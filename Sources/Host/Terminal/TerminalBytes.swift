/// Bytes on their way to a terminal: a growing buffer with the few writes that escape sequences need.
///
/// A class with storage of its own, because an array's checks cost more than the writes.
final class TerminalBytes {
  // Checks of exclusive access would take a quarter of a frame's time; a write is never inside another.
  @exclusivity(unchecked) private var storage: UnsafeMutableRawBufferPointer
  @exclusivity(unchecked) private(set) var count = 0

  init(capacity: Int = 4096) {
    storage = .allocate(byteCount: max(64, capacity), alignment: 16)
  }

  deinit { storage.deallocate() }

  var isEmpty: Bool { count == 0 }

  /// The bytes; valid until the next write.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[0..<count]) }

  /// Empties the buffer and keeps its memory.
  func removeAll() { count = 0 }

  /// Removes the last bytes.
  func removeLast(_ number: Int) { count -= min(number, count) }

  /// Reserves room for a number of bytes to be written by the unchecked writes.
  func reserve(_ additional: Int) {
    let needed = count + additional
    if needed <= storage.count { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(needed, storage.count * 2), alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[0..<count]))
    storage.deallocate()
    storage = larger
  }

  /// Appends a byte; the room must be reserved.
  @inline(__always) func put(_ byte: UInt8) {
    assert(count < storage.count)
    storage.baseAddress.unsafelyUnwrapped.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  /// Replaces the last byte.
  @inline(__always) func replaceLast(with byte: UInt8) {
    assert(count > 0)
    storage.baseAddress.unsafelyUnwrapped.storeBytes(of: byte, toByteOffset: count &- 1, as: UInt8.self)
  }

  /// Appends `ESC [`; the room must be reserved.
  @inline(__always) func putControl() {
    put(0x1B)
    put(0x5B)
  }

  /// Appends a number of 0…99 999 in decimal digits; the room must be reserved.
  @inline(__always) func putDecimal(_ number: Int) {
    var rest = UInt32(truncatingIfNeeded: number)
    if rest < 10 { return put(0x30 &+ UInt8(truncatingIfNeeded: rest)) }
    if rest >= 100 {
      if rest >= 1000 {
        if rest >= 10000 {
          put(0x30 &+ UInt8(truncatingIfNeeded: rest / 10000 % 10))
          rest %= 10000
        }
        put(0x30 &+ UInt8(truncatingIfNeeded: rest / 1000))
        rest %= 1000
      }
      put(0x30 &+ UInt8(truncatingIfNeeded: rest / 100))
      rest %= 100
    }
    put(0x30 &+ UInt8(truncatingIfNeeded: rest / 10))
    put(0x30 &+ UInt8(truncatingIfNeeded: rest % 10))
  }

  /// Appends a scalar as UTF-8; the room must be reserved.
  @inline(__always) func putScalar(_ value: UInt32) {
    if value < 0x80 { return put(UInt8(truncatingIfNeeded: value)) }
    if value < 0x800 {
      put(0xC0 | UInt8(truncatingIfNeeded: value >> 6))
    } else {
      if value < 0x1_0000 {
        put(0xE0 | UInt8(truncatingIfNeeded: value >> 12))
      } else {
        put(0xF0 | UInt8(truncatingIfNeeded: value >> 18))
        put(0x80 | UInt8(truncatingIfNeeded: value >> 12 & 0x3F))
      }
      put(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
    }
    put(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
  }

  /// Appends text.
  func append(_ text: String) {
    append(Array(text.utf8))
  }

  /// Appends bytes.
  func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends bytes.
  func append(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    UnsafeMutableRawBufferPointer(rebasing: storage[count..<count + bytes.count]).copyMemory(from: bytes)
    count += bytes.count
  }
}
