import Glibc

/// A claim that tells other processes that this one captures, so that they do not mistake its captures for leftovers.
///
/// A system lock on a file beside the store, until ``release()``. Changing one kind into another keeps the lock,
/// without a gap in between.
struct CaptureClaim: Sendable {
  private let file: ClaimFile

  /// Opens the file; nothing is claimed yet.
  ///
  /// - Parameter folder: The folder of the store.
  /// - Throws: ``VaultError/file(path:number:)``: a process that cannot claim must not capture either.
  init(folder: String) throws(VaultError) { file = try ClaimFile(folder + "/capturing") }

  /// Claims beside others, also in place of an exclusive claim.
  ///
  /// - Returns: False while another process searches for leftovers.
  /// - Throws: ``VaultError/file(path:number:)`` where the system cannot claim at all.
  func share() throws(VaultError) -> Bool { try file.set(F_RDLCK) }

  /// Claims exclusively; if another process captures, nothing changes.
  ///
  /// - Returns: False while another process captures, or searches for leftovers.
  /// - Throws: ``VaultError/file(path:number:)`` where the system cannot claim at all.
  func claimAlone() throws(VaultError) -> Bool { try file.set(F_WRLCK) }

  /// Releases the claim; others can claim as soon as this returns.
  func release() { file.close() }
}
