import PluginAPI
import Testing

@testable import Host

struct PluginRightsTests {
  /// Returns the rights of a plugin with commands of some effects, and stores.
  private func rights(
    _ effects: [Set<CommandDescription.Effect>], stores: [String] = [], run: [String]? = ["sh", "main.sh"]
  ) -> PluginRights {
    var contributions = Contributions(
      plugin: PluginIdentity(id: "tides", name: "Tides", version: "1.0.0", summary: "Shows tides"))
    contributions.commands = effects.enumerated().map { index, effects in
      CommandDescription("do-\(index)", "Do it", output: .init(.any), effects: effects)
    }
    contributions.stores = stores.map { StoreDescription($0, "Keeps it") }
    return PluginRights(StoredContributions(contributions), run: run)
  }

  @Test func `the same or fewer rights add nothing`() {
    let rights = rights([[.reads], [.writes, .network]], stores: ["a", "b"])
    #expect(rights.added(to: rights) == "")
    #expect(self.rights([[.network]], stores: ["b"]).added(to: rights) == "")
    // Another command with an effect that was agreed to.
    #expect(self.rights([[.reads], [.writes], [.writes]], stores: ["a"]).added(to: rights) == "")
  }

  @Test func `new effects, stores and ways to run are named`() {
    let old = rights([[.reads]], stores: ["a"])
    #expect(
      rights([[.reads, .deletes], [.network]], stores: ["a"]).added(to: old) == "deletes (do-0), network (do-1)")
    #expect(rights([[.reads]], stores: ["a", "b"]).added(to: old) == "stores (b)")
    #expect(rights([[.reads]], stores: ["a"], run: nil).added(to: old) == "it now runs inside this program")
    #expect(rights([[.reads]], run: ["python3", "main.py"]).added(to: old) == "it now runs 'python3 main.py'")
    #expect(rights([[.reads]], stores: ["a"]).added(to: rights([[.reads]], stores: ["a"], run: nil)) != "")
  }

  @Test func `text of a manifest commands no terminal`() {
    let old = rights([[.reads]])
    #expect(!rights([[.reads]], run: ["sh", "\u{1B}[2J"]).added(to: old).contains("\u{1B}"))
    #expect(!rights([[.reads]], run: ["sh", "\u{1B}[2J"]).sentence.contains("\u{1B}"))
  }
}
