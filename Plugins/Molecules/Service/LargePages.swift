import Glibc

/// Large pages for memory that is about to be filled: the kernel then has to make hundreds of times fewer of them.
enum LargePages {
  /// The size of a large page of x86-64 and AArch64 in bytes.
  private static let size = 1 << 21

  /// Asks for large pages behind the part of some memory that is made of whole ones.
  ///
  /// A wish only: a kernel that has none, or does not give them, changes nothing.
  static func advise(_ memory: UnsafeMutableRawBufferPointer) {
    guard memory.count >= 2 * size, let base = memory.baseAddress else { return }
    let start = base.alignedUp(toMultipleOf: size)
    let end = (base + memory.count).alignedDown(toMultipleOf: size)
    if start < end { madvise(start, end - start, MADV_HUGEPAGE) }
  }
}
