class Crashglass < Formula
  desc "Read crash dumps offline, in the browser and on the terminal"
  homepage "{{.Home}}"
  version "{{.Version}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{.URL "darwin-arm64.tar.gz"}}"
      sha256 "{{.Sum "darwin-arm64.tar.gz"}}"
    end
    on_intel do
      url "{{.URL "darwin-amd64.tar.gz"}}"
      sha256 "{{.Sum "darwin-amd64.tar.gz"}}"
    end
  end

  on_linux do
    on_arm do
      url "{{.URL "linux-arm64.tar.gz"}}"
      sha256 "{{.Sum "linux-arm64.tar.gz"}}"
    end
    on_intel do
      url "{{.URL "linux-amd64.tar.gz"}}"
      sha256 "{{.Sum "linux-amd64.tar.gz"}}"
    end
  end

  def install
    bin.install "crashglass"
    man1.install "crashglass.1"
    bash_completion.install "completions/crashglass"
    zsh_completion.install "completions/_crashglass"
    fish_completion.install "completions/crashglass.fish"
  end

  test do
    assert_match "crashglass #{version}", shell_output("#{bin}/crashglass --version")
  end
end
