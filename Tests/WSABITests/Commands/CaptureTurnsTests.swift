import FoundationEssentials
import PluginAPI
import TestSupport
import Testing

@testable import WSABI

/// Captures and the search for leftovers, by two programs with one store.
struct CaptureTurnsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path.path }
  private let own = CaptureTurns()
  private let others = CaptureTurns()

  init() throws { folder = try TemporaryFolder() }

  @Test func `a search for leftovers is refused until all captures have ended`() throws {
    #expect(try own.beginCapturing(path) && own.beginCapturing(path))
    #expect(try others.beginCapturing(path))
    #expect(try !own.beginLooking(path) && !others.beginLooking(path))
    own.endCapturing()
    others.endCapturing()
    #expect(own.isCapturing && !others.isCapturing)
    #expect(try !others.beginLooking(path))
    own.endCapturing()
    #expect(try others.beginLooking(path))
  }

  @Test func `a search for leftovers excludes captures and other searches`() throws {
    #expect(try own.beginLooking(path))
    #expect(try !own.beginLooking(path) && !others.beginLooking(path))
    #expect(try !own.beginCapturing(path) && !others.beginCapturing(path))
    own.endLooking(beginsCapturing: false)
    #expect(try own.beginCapturing(path) && others.beginCapturing(path))
  }

  @Test func `a refused search leaves the captures of both sides unchanged`() throws {
    #expect(try own.beginCapturing(path) && others.beginCapturing(path))
    let third = CaptureTurns()
    for turns in [own, others, third] { #expect(try !turns.beginLooking(path)) }
    own.endCapturing()
    #expect(try !third.beginLooking(path))
    others.endCapturing()
    #expect(try third.beginLooking(path))
  }

  @Test func `fetching leftovers allows captures by others, but no search`() throws {
    #expect(try own.beginLooking(path))
    own.endLooking(beginsCapturing: true)
    #expect(own.isCapturing)
    #expect(try others.beginCapturing(path))
    others.endCapturing()
    #expect(try !others.beginLooking(path))
    own.endCapturing()
    #expect(try others.beginLooking(path))
  }

  @Test func `a capture that cannot be announced to other processes does not start`() {
    #expect(throws: ErrorReport.self) { try own.beginCapturing(path + "/nowhere") }
    #expect(throws: ErrorReport.self) { try own.beginLooking(path + "/nowhere") }
    #expect(!own.isCapturing)
  }
}
