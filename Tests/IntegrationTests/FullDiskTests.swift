import Foundation
import TestSupport
import Testing

/// A full disk under commands of the host, Molecules, PathCase and OpenBIS that write.
///
/// Those of WSABI are in a test of its module.
struct FullDiskTests {
  /// A network of one reaction; made for this test.
  private static let network = """
    <?xml version="1.0" encoding="UTF-8"?>
    <sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="3" version="1">
    <model id="small" name="Small network"><listOfCompartments><compartment id="c" constant="true"/></listOfCompartments>
    <listOfSpecies><species id="a" compartment="c" hasOnlySubstanceUnits="false" boundaryCondition="false"
    constant="false"/><species id="b" compartment="c" hasOnlySubstanceUnits="false" boundaryCondition="false"
    constant="false"/></listOfSpecies><listOfReactions><reaction id="r" reversible="false" fast="false">
    <listOfReactants><speciesReference species="a" stoichiometry="1" constant="true"/></listOfReactants>
    <listOfProducts><speciesReference species="b" stoichiometry="1" constant="true"/></listOfProducts></reaction>
    </listOfReactions></model></sbml>
    """

  /// Commands that run while there is room.
  private static let before = [
    "molecules import two.pdb", "pathcase import small.xml", "openbis sync --no-index",
    "store backup molecules:library library.backup",
  ]

  /// Commands on the full disk; `$root` is an entity, `$set` a data set with files.
  private static let lines = [
    "molecules import two.pdb", "molecules delete 8 --yes", "molecules export 1 --output out.cif",
    "molecules session save out.session two.pdb", "molecules rebuild library", "pathcase import small.xml",
    "pathcase forget small --yes", "pathcase export small.xml --output out.xml",
    "pathcase draw small.xml --output out.svg", "openbis sync --full", "openbis drill $root", "openbis detail $root",
    "openbis search Sample", "openbis export $root --output out.json", "openbis image $root",
    "openbis download $set --all --output out", "openbis preview $set original/readme.txt",
    "openbis servers --use none", "openbis secrets encrypt --new-key-file out.key", "openbis logout",
    "config set openbis.full-refresh-days 3", "config unset openbis.full-refresh-days",
    "store backup molecules:library out.backup", "store rebuild molecules:library --yes",
    "store restore molecules:library library.backup --yes", "plugin disable molecules", "plugin enable molecules",
  ]

  /// Commands after the disk has room again.
  private static let after = ["store check", "molecules list", "pathcase imports", "openbis servers"]

  @Test(.enabled(if: SmallDisk.canMount, "a user may not mount file systems"), .timeLimit(.minutes(5)))
  func `writing commands end with one coded error on a full disk and lose nothing stored`() throws {
    let files = try TemporaryFolder()
    try files.write(Array(CommandLineFilesTests.pdb.utf8), "two.pdb")
    try files.write(Array(Self.network.utf8), "small.xml")
    let outcome = try SmallDisk.run(
      """
      mkdir "$0/work"; cd "$0/work"; cp "$2"/two.pdb "$2"/small.xml .
      exec 3< <("$1" openbis simulate 2>/dev/null); server=$!; read -r address user <&3
      run() { local name=$1 wb=$2; shift 2; "$wb" "$@" --json </dev/null >"$out" 2>"$err"
        echo "$name $? $(tr -d '\\n' <"$err") LINE $* $(head -c 3000 "$out" | tr '\\n' ' ')"; }
      out=$2/out err=$2/err set=20240102080000000-1
      echo wonderland | "$1" openbis login "$address" --user alice --password-stdin --native >/dev/null 2>&1
      \(Self.before.map { "run BEFORE \"$1\" \($0)" }.joined(separator: "\n"))
      root=$("$1" openbis roots --limit 1 --json 2>/dev/null | grep -o '"permId":"[^"]*"' | head -1 | cut -d'"' -f4)
      for number in 1 2 3; do dd if=/dev/zero of="full$number" bs=1k 2>/dev/null; done
      \(Self.lines.map { "run RUN \"$1\" \($0)" }.joined(separator: "\n"))
      rm full?
      \(Self.after.map { "run AFTER \"$1\" \($0)" }.joined(separator: "\n"))
      kill $server
      """, kilobytes: 24_576, [BuiltProgram.workbench.path, files.path.path])
    let told = outcome.output.split(separator: "\n").map(String.init)
    func ends(_ name: String) -> [String] { told.filter { $0.hasPrefix(name + " ") } }
    #expect(ends("BEFORE").count == Self.before.count && ends("BEFORE").allSatisfy { $0.hasPrefix("BEFORE 0 ") })
    #expect(ends("RUN").count == Self.lines.count, "\(outcome.errors) \(told)")
    for end in ends("RUN") {
      let isDone = end.hasPrefix("RUN 0 ")
      #expect(end.components(separatedBy: "\"error\":").count == (isDone ? 1 : 2), "\(end)")
      #expect(isDone || end.contains("\"code\":\"") && end.contains("space left"), "\(end)")
    }
    #expect(ends("AFTER").count == Self.after.count && ends("AFTER").allSatisfy { $0.hasPrefix("AFTER 0 ") }, "\(told)")
    for stored in ["TWO ATOMS", "small", "alice"] {
      #expect(ends("AFTER").contains { $0.contains(stored) }, "\(stored): \(told)")
    }
  }
}
