import Glibc

/// Tells other processes that this one captures, so that none takes what is under way for what was left over.
///
/// A lock of the system on a file beside the store, until ``release()``. One that is changed into another is held all the
/// time, so nobody comes in between.
struct CaptureClaim: Sendable {
  private let file: ClaimFile

  /// Opens the file; nothing is claimed yet.
  ///
  /// - Parameter folder: The folder of the store.
  /// - Throws: ``VaultError/file(path:number:)``: who cannot claim must not capture either.
  init(folder: String) throws(VaultError) { file = try ClaimFile(folder + "/capturing") }

  /// Claims beside others, also in the place of a claim alone.
  ///
  /// - Returns: False while another process looks for what was left over.
  /// - Throws: ``VaultError/file(path:number:)`` where the system cannot claim at all.
  func share() throws(VaultError) -> Bool { try file.set(F_RDLCK) }

  /// Claims alone; where another process captures nothing changes.
  ///
  /// - Returns: False while another process captures, or looks for what was left over.
  /// - Throws: ``VaultError/file(path:number:)`` where the system cannot claim at all.
  func claimAlone() throws(VaultError) -> Bool { try file.set(F_WRLCK) }

  /// Releases the claim; others can claim as soon as this returns.
  func release() { file.close() }
}
