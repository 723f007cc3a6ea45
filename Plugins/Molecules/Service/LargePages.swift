import Glibc

/// Large pages for memory that is about to be filled, which need hundreds of times fewer page faults.
enum LargePages {
  /// The size of a large page of x86-64 and AArch64 in bytes.
  private static let size = 1 << 21

  /// Requests large pages for the part of a memory range that consists of whole ones.
  ///
  /// This is only a hint: a kernel without large pages ignores it.
  static func advise(_ memory: UnsafeMutableRawBufferPointer) {
    guard memory.count >= 2 * size, let base = memory.baseAddress else { return }
    let start = base.alignedUp(toMultipleOf: size)
    let end = (base + memory.count).alignedDown(toMultipleOf: size)
    if start < end { madvise(start, end - start, MADV_HUGEPAGE) }
  }
}
