import PluginAPI
import Testing

@testable import Host

struct PaletteRankingTests {
  private static func command(
    _ name: String, _ summary: String, effects: Set<CommandDescription.Effect> = [.reads], synonyms: [String] = [],
    of plugin: String = "molecules"
  ) -> PaletteEntry {
    let declaration = CommandDescription(name, summary, output: .init(.any), effects: effects).findable(by: synonyms)
    var entry = PaletteEntry(
      plugin + " " + name, detail: summary, synonyms: synonyms, .command(plugin: plugin, declaration))
    entry.isForeign = plugin != "molecules"
    return entry
  }

  private static func action(_ title: String, synonyms: [String] = []) -> PaletteEntry {
    PaletteEntry(title, detail: "Molecule", synonyms: synonyms, .action(ActionInvocation("do")))
  }

  /// As in the molecule viewer, where 'rmsd' once proposed to purge the store of another plugin.
  private let entries = [
    action("Show all of it, as at first", synonyms: ["center"]), action("Do again what was taken back"),
    action("Play the models, or stop playing"), action("Show or hide the sequence"),
    action("Structures shown together", synonyms: ["hide", "show"]),
    command("superpose", "lays one molecule on another", synonyms: ["rmsd"]),
    command("measure distance", "measures the distance of two atoms"), command("list", "lists the molecules"),
    command("delete", "deletes a molecule", effects: [.writes, .deletes]),
    command("store purge", "rewrites the store without what was deleted", effects: [.writes, .deletes], of: "wsabi"),
    command("measure", "measures a person", of: "wsabi"), command("render", "draws a molecule", of: "wsabi"),
  ]

  private func titles(_ pattern: String) -> [String] {
    PaletteRanking.hits(pattern, in: entries).map { entries[$0.index].title }
  }

  @Test func `an empty pattern preserves the order`() {
    #expect(titles("") == entries.map(\.title))
    #expect(titles("  ").count == entries.count)
  }

  @Test(arguments: [
    ("rmsd", "molecules superpose"), ("center", "Show all of it, as at first"),
    ("distance", "molecules measure distance"),
    ("dist meas", "molecules measure distance"), ("purge", "wsabi store purge"), ("delete", "molecules delete"),
    ("draws", "wsabi render"),
  ]) func `words in titles, synonyms and summaries rank before scattered letters`(pattern: String, title: String) {
    #expect(titles(pattern).first == title)
  }

  @Test func `an entry with the typed text as a synonym ranks before titles that contain it`() {
    #expect(titles("hide") == ["Structures shown together", "Show or hide the sequence"])
    #expect(titles("Hide").first == "Structures shown together")
    #expect(titles("show").first == "Structures shown together")
    #expect(titles("sequence") == ["Show or hide the sequence"])
  }

  @Test func `commands of the plugin in front rank before equal matches of others`() {
    #expect(titles("measure") == ["molecules measure distance", "wsabi measure"])
  }

  @Test func `an exact word in another plugin ranks before scattered letters in the current one`() {
    #expect(titles("store").first == "wsabi store purge")
    #expect(titles("store").contains("Do again what was taken back") == false)
  }

  @Test func `destructive commands match words, never scattered letters`() {
    let scattered = titles("msde")
    #expect(!scattered.contains("molecules delete") && !scattered.contains("wsabi store purge"))
    #expect(titles("stpu") == ["wsabi store purge"], "beginnings of words are words")
  }

  @Test func `matched positions are those in the title only`() throws {
    let hit = try #require(PaletteRanking.hits("rmsd", in: entries).first)
    #expect(hit.positions.isEmpty)
    #expect(PaletteRanking.hits("purge", in: entries).first?.positions == [12, 13, 14, 15, 16])
  }
}
