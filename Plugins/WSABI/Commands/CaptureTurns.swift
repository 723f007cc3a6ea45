import Synchronization

/// Keeps captures and the search for what was left over apart, in this process and between all that use a store.
///
/// Other processes are told of captures only while there are some, so that any of them can look in between.
final class CaptureTurns: Sendable {
  private struct State {
    /// True while an operation runs that excludes captures.
    var isLooking = false
    /// The number of captures and downloads in progress.
    var captures = 0
    /// Held while something is captured or looked for.
    var claim: CaptureClaim?
  }

  private let state = Mutex(State())

  /// True while something is captured or downloaded.
  var isCapturing: Bool { state.withLock { $0.captures > 0 } }

  /// Begins to capture, until ``endCapturing()``.
  ///
  /// - Parameter folder: The folder of the store.
  /// - Returns: False while somebody looks for what was left over.
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

  /// Begins what nothing may be captured beside, until ``endLooking(beginsCapturing:)``.
  ///
  /// - Returns: False while something is captured, or somebody else does such a thing.
  func beginLooking(_ folder: String) throws(VaultError) -> Bool {
    try state.withLock { state throws(VaultError) in
      guard !state.isLooking, state.captures == 0 else { return false }
      let claim = try CaptureClaim(folder: folder)
      guard try Self.holds(claim, claim.claimAlone) else { return false }
      (state.claim, state.isLooking) = (claim, true)
      return true
    }
  }

  /// - Parameter beginsCapturing: Whether what was found is fetched now, until ``endCapturing()``; nobody comes in
  ///   between.
  func endLooking(beginsCapturing: Bool) {
    state.withLock { state in
      state.isLooking = false
      guard beginsCapturing else { return Self.release(&state) }
      // Nobody can be in the way of who was alone.
      _ = try? state.claim?.share()
      state.captures += 1
    }
  }
}
