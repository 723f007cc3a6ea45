import PluginAPI
import Testing

@testable import Host

@Suite struct StoredContributionsTests {
  private static let contributions: Contributions = {
    var contributions = Contributions(
      plugin: PluginIdentity(id: "tides", name: "Tides", version: "1.2.3", summary: "times of high water"))
    contributions.commands = [
      CommandDescription("list", "List stations", output: .init(.any)).taking([
        Parameter("near", .text, "A place", isRequired: true)
      ]),
      CommandDescription("station show", "Show a station", output: .init(.any)),
    ]
    contributions.screens = [ScreenDescription("tides", title: "Tides", actions: [ScreenAction("next", "Next day")])]
    contributions.stores = [StoreDescription("stations", "stations and their constants")]
    contributions.textRenderers = ["tides.station"]
    contributions.fileTypes = [FileTypeDescription("Harmonic constants", extensions: ["hc"], magic: [1, 2])]
    contributions.settings = [Parameter("unit", .choice(["metre", "foot"]), "The unit of heights")]
    contributions.checks = [CheckDescription("clock", "The clock")]
    contributions.topics = [TopicDescription("turned", "The tide turned", payload: .text)]
    contributions.errorCodes = [ErrorCodeDescription("tides.unknown-station", "There is no such station")]
    return contributions
  }()

  @Test func `every part is read back as stored`() throws {
    let stored = try #require(StoredContributions(StoredContributions(Self.contributions).bytes))
    #expect(stored.plugin == Self.contributions.plugin)
    #expect(stored.commandNames == ["list", "station show"])
    #expect(stored.commands == Self.contributions.commands)
    #expect(stored.command("station show") == Self.contributions.commands[1])
    #expect(stored.command("station") == nil)
    #expect(stored.screens == Self.contributions.screens)
    #expect(stored.stores == Self.contributions.stores)
    #expect(stored.textRenderers == Self.contributions.textRenderers)
    #expect(stored.fileTypes == Self.contributions.fileTypes)
    #expect(stored.settings == Self.contributions.settings)
    #expect(stored.checks == Self.contributions.checks)
    #expect(stored.topics == Self.contributions.topics)
    #expect(stored.errorCodes == Self.contributions.errorCodes)
  }

  @Test func `a truncated or extended stored form is refused`() {
    let bytes = StoredContributions(Self.contributions).bytes
    for count in 0..<bytes.count { #expect(StoredContributions(Array(bytes[..<count])) == nil) }
    #expect(StoredContributions(bytes + [0]) == nil)
  }
}
