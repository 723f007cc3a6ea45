import Foundation
import TestSupport
import Testing

/// Files, limits and scripts of the command line, by the built program.
struct CommandLineFilesTests {
  let home: PluginHome

  init() throws { home = try PluginHome() }

  /// Two atoms in the PDB format; made for this test.
  static let pdb = """
    HEADER    TEST                                    01-JAN-26   9XYZ
    TITLE     TWO ATOMS
    HETATM    1  C   CMO A   1       1.000   2.000   3.000  1.00 10.00           C
    HETATM    2  O   CMO A   1       2.128   2.000   3.000  1.00 10.00           O
    END

    """

  /// The same in mmCIF.
  private static let cif = """
    data_9XYZ
    _entry.id 9XYZ
    _struct.title 'TWO ATOMS'
    loop_
    _atom_site.group_PDB
    _atom_site.id
    _atom_site.type_symbol
    _atom_site.label_atom_id
    _atom_site.label_comp_id
    _atom_site.label_asym_id
    _atom_site.label_seq_id
    _atom_site.Cartn_x
    _atom_site.Cartn_y
    _atom_site.Cartn_z
    HETATM 1 C C CMO A . 1.000 2.000 3.000
    HETATM 2 O O CMO A . 2.128 2.000 3.000

    """

  @Test func `open shows a structure of any file type, plain or compressed`() throws {
    try home.folder.write(Array(Self.pdb.utf8), "two.pdb")
    try home.folder.write(Array(Self.cif.utf8), "two.cif")
    try PluginFixture.tool("gzip", ["-k", home.folder.url("two.pdb").path, home.folder.url("two.cif").path])
    for name in ["two.pdb", "two.cif", "two.pdb.gz", "two.cif.gz"] {
      let run = try home.runPlain("open", home.folder.url(name).path)
      #expect(run.status == 0, "\(name): \(run.errors)")
      let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count >= 24 && lines.allSatisfy { $0.count <= 80 })
      #expect(run.output.contains("Molecules") && run.output.contains("TWO ATOMS"), "\(name): \(run.output)")
    }
  }

  @Test func `an unknown file type has no reader, and an empty known file is unusable`() throws {
    let odd = try home.folder.write(Array("what is this\n".utf8), "notes.xyzzy")
    let run = try home.runPlain("open", odd.path, "--json")
    #expect(run.status == 3 && run.errorCode == "host.no-reader")
    #expect(try home.runPlain("molecules", "info", odd.path, "--json").status == 5)
    let empty = try home.folder.write([], "empty.pdb")
    let info = try home.runPlain("molecules", "info", empty.path, "--json")
    #expect(info.status == 5 && info.errorCode == "molecules.unreadable-file")
  }

  @Test func `a file whose name is not UTF-8 is read and named with replacement characters`() throws {
    let pdb = try home.folder.write(Array(Self.pdb.utf8), "two.pdb").path
    let run = try home.runShell(
      """
      cd '\(home.folder.path.path)'; export TMPDIR=$PWD/tmp; mkdir tmp
      name=$(printf 'zwei\\377.pdb'); other=$(printf 'drei\\376.pdb'); cp "$2" "$name"
      "$0" molecules info "$name" --json | grep -c 'TWO ATOMS'
      "$0" run molecules "$name" --headless 80x24 --keys wait | grep -c 'TWO ATOMS'
      "$0" "$name" --headless 80x24 --keys wait | grep -c 'TWO ATOMS'
      "$0" molecules info "$other"; echo $?
      ls tmp | wc -l
      """, pdb)
    #expect(run.output == "1\n1\n1\n3\n0\n", "\(run.errors)")
    #expect(run.errors.contains("drei\u{FFFD}.pdb"))
  }

  @Test func `every command accepts standard input, FIFOs and process substitutions as files`() throws {
    let pdb = try home.folder.write(Array(Self.pdb.utf8), "two.pdb").path
    let cif = try home.folder.write(Array(Self.cif.utf8), "two.cif").path
    let run = try home.runShell(
      """
      cd '\(home.folder.path.path)'; export TMPDIR=$PWD/tmp; mkdir tmp
      "$0" molecules info - --json < "$2" | head -c 60; echo
      cat "$2" | "$0" molecules info /dev/stdin --json | head -c 60; echo
      "$0" molecules info <(cat "$2") --json | head -c 60; echo
      mkfifo pipe.cif; cat '\(cif)' > pipe.cif & "$0" molecules info pipe.cif --json | head -c 60; echo
      cat "$2" | "$0" open - | grep -c 'TWO ATOMS'
      cat '\(cif)' | "$0" - | grep -c 'TWO ATOMS'
      cat "$2" | "$0" molecules import - --json | grep -c '"file":"-"'
      echo "molecules info '$2' --json" | "$0" script - | head -c 60; echo
      ls -A tmp | wc -l; "$0" molecules import - - ; echo $?
      """, pdb)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 10, "\(run.output) \(run.errors)")
    #expect(lines.filter { $0.contains("9XYZ") }.count == 5, "\(run.output) \(run.errors)")
    #expect(lines[4...6] == ["1", "1", "1"] && lines.suffix(2) == ["0", "2"], "\(run.output)")
  }

  @Test func `pictures and files go to standard output with the output '-'`() throws {
    let pdb = try home.folder.write(Array(Self.pdb.utf8), "two.pdb").path
    let run = try home.runShell(
      """
      cd '\(home.folder.path.path)'; export TMPDIR=$PWD/tmp; mkdir tmp
      "$0" molecules render "$2" --size 32x32 --output - | head -c 4 | tail -c 3; echo
      "$0" molecules export "$2" --format xyz --output - | head -1
      "$0" pathcase draw w-glycolysis --format png --output - | head -c 4 | tail -c 3; echo
      "$0" molecules info "$2" --json --output info.json; head -c 30 info.json; echo; ls -A tmp | wc -l
      """, pdb)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 5, "\(run.output) \(run.errors)")
    #expect(lines.prefix(3) == ["PNG", "2", "PNG"] && lines.last == "0", "\(run.output) \(run.errors)")
    #expect(lines[3].contains("9XYZ"))
  }

  @Test func `every command that writes a result file accepts '-' as standard output`() throws {
    let pdb = try home.folder.write(Array(Self.pdb.utf8), "two.pdb").path
    let run = try home.runShell(
      """
      cd '\(home.folder.path.path)'; export TMPDIR=$PWD/tmp; mkdir tmp work; cd work
      "$0" wsabi store init --new-key-file ../key --quiet > init.txt && "$0" wsabi person add --key-file ../key > /dev/null
      for file in - /dev/stdout; do
        "$0" wsabi export 1 --format zip --output $file --key-file ../key | head -c 2; echo
        "$0" store backup wsabi:people $file | head -c 6; echo
        "$0" molecules session save $file "$2" | head -c 1; echo
      done
      rm init.txt; ls -A; ls -A ../tmp | wc -l
      """, pdb)
    #expect(run.output == "PK\nSQLite\n{\nPK\nSQLite\n{\n0\n", "\(run.output) \(run.errors)")
  }

  @Test(arguments: [
    ["wsabi", "export", "1", "--to", "-"], ["wsabi", "store", "init", "--new-key-file", "-"],
    ["wsabi", "store", "add-user", "ben", "operator", "--new-key-file", "/dev/stdout"],
    ["openbis", "image", "20130115-1", "--save", "-"], ["openbis", "secrets", "encrypt", "--new-key-file", "-"],
    ["wsabi", "store", "init", "--new-key-file", "-", "--dry-run"],
  ])
  func `an additional file cannot be standard output`(words: [String]) throws {
    let run = try home.run(words, "--json")
    #expect(run.status == 2 && run.errorCode == "host.no-standard-output", "\(run.output) \(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func `a folder cannot go to standard output`() throws {
    let run = try home.runShell(
      """
      cd '\(home.folder.path.path)'; export TMPDIR=$PWD/tmp; mkdir tmp
      "$0" wsabi store init --new-key-file key --quiet > /dev/null
      "$0" wsabi person add --key-file key > /dev/null
      "$0" wsabi export 1 --format json --output - --key-file key --json; echo $?; ls -A tmp | wc -l
      """, "")
    #expect(run.output == "2\n0\n" && run.errorCode == "host.no-standard-output", "\(run.output) \(run.errors)")
  }

  @Test func `text and output files that are not UTF-8 are refused with their code`() throws {
    let pdb = try home.folder.write(Array(Self.pdb.utf8), "two.pdb").path
    let run = try home.runShell(
      """
      cd '\(home.folder.path.path)'; name=$(printf 'caf\\351.png')
      "$0" molecules list --output="$name" --json 2> errors; echo $?; grep -c host.not-utf8 errors
      "$0" molecules render "$2" --output "$name" --json; echo $?
      """, pdb)
    #expect(run.output == "2\n1\n2\n" && run.errorCode == "host.not-utf8", "\(run.output) \(run.errors)")
    #expect(run.errorMessage.contains("'caf\u{FFFD}.png'"), "\(run.errors)")
  }

  @Test func `the option '--offline' reaches the plugin`() throws {
    #expect(try home.run("misbehaving", "offline").output == "false\n")
    #expect(try home.run("misbehaving", "offline", "--offline").output == "true\n")
    #expect(try home.run("--offline", "misbehaving", "offline").output == "true\n")
  }

  @Test func `a file given instead of a command is opened unless a command or plugin has its name`() throws {
    let file = try home.folder.write(Array(Self.pdb.utf8), "two.pdb")
    let opened = try home.runPlain(file.path)
    #expect(opened.status == 0 && opened.output.contains("TWO ATOMS"), "\(opened.errors)")
    let headless = try home.runPlain(file.path, "--headless", "100x30")
    #expect(headless.output.contains("TWO ATOMS"))
    for name in ["version", "molecules"] { try home.folder.write([1], name) }
    let shell = "cd '\(home.folder.path.path)'; \"$0\" version; \"$0\" molecules; \"$0\" moleculse"
    let named = try home.runShell(shell, "")
    #expect(named.output.hasPrefix("workbench "))
    try home.folder.write([1], "misbehaving")
    let shadow =
      "cd '\(home.folder.path.path)'; \"$0\" plugin disable misbehaving --plugin-dir \"$1\"; \"$0\" misbehaving"
    let disabled = try home.runShell(shadow + " --plugin-dir \"$1\"", "")
    #expect(disabled.errors.contains("plugin enable misbehaving"), "\(disabled.errors)")
    #expect(named.errors.contains("'molecules' needs a command") && named.errors.contains("did you mean 'molecules'?"))
  }

  @Test func `requested files have the mode of the umask`() throws {
    let file = try home.folder.write(Array(Self.pdb.utf8), "two.pdb")
    let run = try home.runShell(
      """
      cd '\(home.folder.path.path)'; umask 027
      "$0" molecules render "$2" --size 32x32 --output picture.png --trace trace.jsonl --record record.wbs
      "$0" molecules export "$2" --output copy.xyz; stat -c '%a %n' picture.png trace.jsonl record.wbs copy.xyz
      """, file.path)
    #expect(run.output.hasSuffix("640 picture.png\n640 trace.jsonl\n640 record.wbs\n640 copy.xyz\n"), "\(run.errors)")
  }

  @Test func `results precede the next command of a script, and a crash names its line`() throws {
    let script = try home.folder.write(Array("misbehaving greet\nversion\nmisbehaving trap\n".utf8), "last.wbs")
    let crash = try home.run("script", script.path)
    #expect(crash.output.hasPrefix("hello from misbehaving\nworkbench "))
    #expect(
      crash.errors.contains(
        "last.wbs:3:1: in 'misbehaving trap': plugin 'misbehaving' crashed in command 'trap' with SIGILL"))
  }

  @Test func `the time limit ends a plugin that ignores cancellation`() throws {
    let run = try home.run("misbehaving", "sleep", "--timeout", "0.5", "--json")
    #expect(run.status == 124 && run.errorCode == "host.timed-out")
  }

  @Test func `doctor prints one row per check`() throws {
    let run = try home.runPlain("doctor", "--json")
    #expect(run.status == 0)
    #expect(run.rows.count >= 3)
    let shapes = Set(run.rows.map { Set($0.keys) })
    #expect(shapes.count == 1)
  }

  @Test func `a script file has comments and arguments, and a failure has its position`() throws {
    let script = try home.folder.write(
      Array("# greets\n\nmisbehaving greet  # twice\nconfig get $1\nmisbehaving throw\nmisbehaving greet\n".utf8),
      "a.wbs")
    let stopped = try home.run("script", script.path, "graphics")
    #expect(stopped.status == 4)
    #expect(stopped.output == "hello from misbehaving\nauto\n")
    #expect(stopped.errors.contains(script.path + ":5:1: in 'misbehaving throw': "))
    let whole = try home.run("script", script.path, "graphics", "--keep-going")
    #expect(whole.status == 4)
    #expect(whole.output == "hello from misbehaving\nauto\nhello from misbehaving\n")
    let lacking = try home.run("script", script.path)
    #expect(lacking.status == 2 && lacking.errors.contains(script.path + ":4:12: "))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a completion script is printed for each shell and passes its syntax check`(shell: String) throws {
    let run = try home.run("completion", shell)
    #expect(run.status == 0 && run.output.contains("workbench"))
    guard let path = ["/bin/", "/usr/bin/"].map({ $0 + shell }).first(where: FileManager.default.isExecutableFile)
    else { return }
    let file = try home.folder.write(Array(run.output.utf8), "completion." + shell)
    let check = try BuiltProgram.run(URL(fileURLWithPath: path), ["-n", file.path])
    #expect(check.status == 0 && check.errors.isEmpty)
  }
}
