package engine

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Where says where a sweep is, and by what right one may join or watch it.
type Where struct {
	// One of the two.
	Folder string // of a sweep that runs
	URL    string // of a server; its path is the name of the sweep, if there are several

	TokenFile string // empty: the variable [TokenVariable], or the folder's
	CAFile    string // certificates to trust, in PEM; empty: the folder's, or those of the system
	Creds     string // file of NATS's own credentials; empty: none
}

// linking returns how to connect, and the name of the sweep if it is known.
func (o *Where) linking() (how linking, name sweepName, err error) {
	secret, ca := o.TokenFile, ""
	if o.Folder != "" {
		a, err := ReadAddress(o.Folder)
		if err != nil {
			return how, "", err
		}
		how.urls, name, ca = strings.Join(a.URLs, ","), sweepName(a.Sweep), a.CA
		how.options = append(how.options, nats.SetCustomDialer(folderDialer(o.Folder)))
		if file := filepath.Join(o.Folder, tokenFile); secret == "" && o.Creds == "" {
			if _, err := os.Stat(file); err == nil {
				secret = file
			}
		}
	} else if how.urls, name, err = splitURL(o.URL); err != nil {
		return how, "", err
	}
	text, err := token(secret)
	if err != nil {
		return how, "", err
	}
	if text != "" {
		how.options = append(how.options, nats.Token(text))
	}
	if o.Creds != "" {
		how.options = append(how.options, nats.UserCredentials(o.Creds))
	}
	if o.CAFile != "" {
		b, err := os.ReadFile(o.CAFile)
		if err != nil {
			return how, "", fmt.Errorf("certificates to trust: %w", err)
		}
		ca = string(b)
	}
	if ca != "" {
		option, err := trust(ca)
		if err != nil {
			return how, "", fmt.Errorf("%s: %w, want such as server.pem of the folder of the sweep", cmp.Or(o.CAFile, serverFile), err)
		}
		how.options = append(how.options, option)
	}
	return how, name, nil
}

// splitURL takes the name of the sweep from the path of a URL.
func splitURL(all string) (urls string, name sweepName, err error) {
	var servers []string
	for _, one := range strings.Split(all, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Host == "" {
			return "", "", fmt.Errorf("%q is no address of a server, want such as nats://host:4222 or tls://host:4222", one)
		}
		if path := strings.Trim(u.Path, "/"); path != "" {
			if name = sweepName(path); !name.valid() {
				return "", "", fmt.Errorf("%q: want the name of a sweep as its path", one)
			}
		}
		u.Path = ""
		servers = append(servers, u.String())
	}
	return strings.Join(servers, ","), name, nil
}

// find returns the name of the only sweep on a server, if none was given.
func find(ctx context.Context, js jetstream.JetStream, name sweepName) (sweepName, error) {
	if name != "" {
		return name, nil
	}
	var all []string
	names := js.StreamNames(ctx)
	for stream := range names.Name() {
		if n, is := nameOf(stream); is {
			all = append(all, string(n))
		}
	}
	if err := names.Err(); err != nil {
		return "", err
	}
	if len(all) != 1 {
		return "", fmt.Errorf("the server has %d sweeps %v: want one, or its name as path of the address", len(all), all)
	}
	return sweepName(all[0]), nil
}
