import Synchronization

/// A lock that keeps captures apart from the search for leftovers, in this process and among all processes that use a
/// store.
///
/// Other processes see captures only while there are some, so that each of them can search in between.
final class CaptureTurns: Sendable {
  private struct State {
    /// True while an operation runs that excludes captures.
    var isLooking = false
    /// The number of captures and downloads in progress.
    var captures = 0
    /// The claim held during captures or a search.
    var claim: CaptureClaim?
  }

  private let state = Mutex(State())

  /// True while something is captured or downloaded.
  var isCapturing: Bool { state.withLock { $0.captures > 0 } }

  /// Starts capturing, until ``endCapturing()``.
  ///
  /// - Parameter folder: The folder of the store.
  /// - Returns: False while a search for leftovers runs.
  func beginCapturing(_ folder: String) throws(VaultError) -> Bool {
    try state.withLock { state throws(VaultError) in
      if state.isLooking { return false }
      if state.captures == 0 {
        let claim = try CaptureClaim(folder: folder)
        guard try Self.holds(claim, claim.share) else { return false }
        state.claim = claim
      }
      state.captures += 1
      return true
    }
  }

  func endCapturing() {
    state.withLock { state in
      state.captures -= 1
      if state.captures == 0 { Self.release(&state) }
    }
  }

  private static func release(_ state: inout State) {
    state.claim?.release()
    state.claim = nil
  }

  /// Returns true if a claim is granted; releases it otherwise.
  private static func holds(
    _ claim: CaptureClaim, _ isGranted: () throws(VaultError) -> Bool
  ) throws(VaultError) -> Bool {
    do throws(VaultError) {
      if try isGranted() { return true }
    } catch {
      claim.release()
      throw error
    }
    claim.release()
    return false
  }

  /// Starts an operation that excludes captures, until ``endLooking(beginsCapturing:)``.
  ///
  /// - Returns: False while a capture or another such operation runs.
  func beginLooking(_ folder: String) throws(VaultError) -> Bool {
    try state.withLock { state throws(VaultError) in
      guard !state.isLooking, state.captures == 0 else { return false }
      let claim = try CaptureClaim(folder: folder)
      guard try Self.holds(claim, claim.claimAlone) else { return false }
      (state.claim, state.isLooking) = (claim, true)
      return true
    }
  }

  /// - Parameter beginsCapturing: True if the findings are downloaded now, until ``endCapturing()``, without a gap in
  ///   between.
  func endLooking(beginsCapturing: Bool) {
    state.withLock { state in
      state.isLooking = false
      guard beginsCapturing else { return Self.release(&state) }
      // Sharing an exclusive claim cannot fail because of others.
      _ = try? state.claim?.share()
      state.captures += 1
    }
  }
}
