import Foundation
import Glibc
import PluginAPI
import TestSupport
import Testing

@testable import WSABI

@Suite struct ClaimFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a claim is exclusive or shared, and ends when it is released`() throws {
    let path = folder.path.path
    let first = try CaptureClaim(folder: path)
    let second = try CaptureClaim(folder: path)
    #expect(try first.share() && second.share())
    #expect(try !first.claimAlone())
    second.release()
    #expect(try first.claimAlone())
    let third = try CaptureClaim(folder: path)
    #expect(try !third.share())
    first.release()
    #expect(try third.share())
    third.release()
  }

  @Test func `a released claim is free at once, even if a starting child has a copy of the file`()
    throws
  {
    let path = folder.path.path
    for _ in 0..<100 {
      let claim = try CaptureClaim(folder: path)
      #expect(try claim.claimAlone())
      let copies = OpenDescriptors.copies(of: path + "/capturing")
      defer { for copy in copies { close(copy) } }
      #expect(!copies.isEmpty)
      claim.release()
      let next = try CaptureClaim(folder: path)
      #expect(try next.claimAlone())
      next.release()
    }
  }

  @Test func `a holder's number can be taken as soon as it is released`() throws {
    let path = folder.path.path
    let holder = try HolderClaim(folder: path)
    let other = try HolderClaim(folder: path)
    #expect(holder.fileIdentity == other.fileIdentity)
    #expect(try holder.take(7) && holder.take(8))
    #expect(try !other.take(7) && other.take(9))
    try holder.release(7)
    #expect(try other.take(7) && !other.take(8))
    let copies = OpenDescriptors.copies(of: path + "/holding")
    defer { for copy in copies { close(copy) } }
    holder.release()
    #expect(try other.take(8))
    other.release()
    #expect(throws: ErrorReport.self) { try other.take(1) }
  }
}
