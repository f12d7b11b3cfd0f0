package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toposearch/internal/infile"
	"toposearch/search/remote"
)

// tokenName is the variable of the environment with the token that a run and its workers share.
const tokenName = "TOPOSEARCH_TOKEN"

// linkFlags say how a run and its workers trust each other.
type linkFlags struct {
	tokenFile, cert, key, ca string
}

func (f *linkFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.tokenFile, "token-file", "", "file with the token that a run and its workers share (default: the environment's "+tokenName+")")
	c.Flags().StringVar(&f.cert, "tls-cert", "", "certificate of this side, PEM")
	c.Flags().StringVar(&f.key, "tls-key", "", "its key, PEM")
	c.Flags().StringVar(&f.ca, "tls-ca", "", "authority that signed the other side's certificate, PEM")
}

// mostSecret bounds the files of tokens and certificates.
const mostSecret = 1 << 20

// token is that of the file or the environment, "" if there is none.
func (f *linkFlags) token() (string, error) {
	if f.tokenFile == "" {
		return os.Getenv(tokenName), nil
	}
	b, err := infile.Read(f.tokenFile, mostSecret)
	if err != nil {
		return "", usagef("--token-file %s: %v", f.tokenFile, err)
	}
	t := strings.TrimSpace(string(b))
	if t == "" {
		return "", usagef("--token-file %s is empty", f.tokenFile)
	}
	return t, nil
}

// tls is what the flags ask for, nil for a connection that is not encrypted. Both sides show a certificate where an authority is named.
func (f *linkFlags) tls() (*tls.Config, error) {
	if f.cert == "" && f.key == "" && f.ca == "" {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS13}
	if f.cert != "" || f.key != "" {
		pair, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return nil, usagef("--tls-cert %s, --tls-key %s: %v", f.cert, f.key, err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	if f.ca != "" {
		b, err := infile.Read(f.ca, mostSecret)
		if err != nil {
			return nil, usagef("--tls-ca %s: %v", f.ca, err)
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(b) {
			return nil, usagef("--tls-ca %s: it holds no certificate in PEM", f.ca)
		}
		c.RootCAs, c.ClientCAs, c.ClientAuth = pool, pool, tls.RequireAndVerifyClientCert
	}
	return c, nil
}

// listen lets workers join a run, if it was asked for; nil if not.
func (a *app) listen(ctx context.Context, addr string, link *linkFlags, dir string) (*remote.Coordinator, error) {
	if addr == "" {
		return nil, nil
	}
	token, err := link.token()
	if err != nil {
		return nil, err
	}
	drawn := token == ""
	if drawn {
		b := make([]byte, 16)
		_, _ = rand.Read(b) // never fails
		token = hex.EncodeToString(b)
	}
	secure, err := link.tls()
	if err != nil {
		return nil, err
	}
	c, err := remote.Listen(ctx, remote.Options{Addr: addr, Token: token, TLS: secure, Dir: dir, Program: programVersion(), Now: a.now, Apart: apart(dir),
		Log: func(text string) { a.note("%s", text) }})
	switch {
	case errors.Is(err, remote.ErrListen):
		return nil, usage(err)
	case err != nil:
		return nil, err
	}
	join := "toposearch worker --join " + c.URL()
	if drawn {
		join = tokenName + "=" + token + " " + join
	}
	a.note("workers join with: %s", join)
	return c, nil
}

// apart computes a task in a process of its own: worker --apart.
func apart(dir string) func(ctx context.Context, task []byte) ([]byte, error) {
	return func(ctx context.Context, task []byte) ([]byte, error) {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		c := exec.CommandContext(ctx, self, "worker", "--apart", dir)
		c.Stdin = bytes.NewReader(task)
		return c.Output()
	}
}

// workerFlags are those of worker.
type workerFlags struct {
	join, name, script, apart string
	link                      linkFlags
}

func (a *app) workerCmd() *cobra.Command {
	var f workerFlags
	c := &cobra.Command{
		Use:   "worker --join URL",
		Short: "Compute for a run on another machine, begun with run --listen",
		Long: `Join a run that was begun with run --listen HOST:PORT, or by way of the same NATS
server, and compute for it: evaluations, simulations of finalists, and boxes of an enumeration. Front and journal are the same bytes with any number of
workers, and without. A worker that dies loses nothing: its tasks are given to another.

Run and workers share a token, in the environment's TOPOSEARCH_TOKEN or in a file
(--token-file), and need the same version of the program. With certificates
(--tls-cert, --tls-key, --tls-ca on both sides) the connection is encrypted and both
sides show who they are; without, who reads the network reads the token. The study,
its constraint files and price lists come from the run.

A worker ends with the run. --print writes a job for a cluster's scheduler instead.`,
		Example: `  TOPOSEARCH_TOKEN=secret toposearch run pod.toml --listen 10.0.0.5:4222
  TOPOSEARCH_TOKEN=secret toposearch worker --join nats://10.0.0.5:4222
  toposearch worker --join nats://10.0.0.5:4222 --print slurm >workers.sbatch`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.worker(c.Context(), &f) },
	}
	c.Flags().StringVar(&f.join, "join", "", "address of the run, as it prints it: nats://HOST:PORT, tls://HOST:PORT with certificates")
	c.Flags().StringVar(&f.name, "name", "", "of this worker (default: host and process)")
	c.Flags().StringVar(&f.script, "print", "", "write a job that starts workers instead: slurm or kubernetes")
	c.Flags().StringVar(&f.apart, "apart", "", "run directory for which a task from stdin is computed")
	_ = c.Flags().MarkHidden("apart") // it is there
	f.link.add(c)
	return c
}

// rejoin is how long a worker looks for the next run of a batch.
const rejoin = time.Minute

func (a *app) worker(ctx context.Context, f *workerFlags) error {
	if f.apart != "" {
		b, err := io.ReadAll(a.in)
		if err != nil {
			return err
		}
		if b, err = remote.Apart(ctx, f.apart, b, nil); err == nil {
			_, err = a.out.Write(b)
		}
		return err
	}
	if f.join == "" {
		return usagef("--join is missing: the address that run --listen prints, such as nats://10.0.0.5:4222")
	}
	if f.script != "" {
		text, ok := jobScript(f.script, f.join)
		if !ok {
			return usagef("--print %q: slurm or kubernetes", f.script)
		}
		fmt.Fprint(a.out, text)
		return nil
	}
	token, err := f.link.token()
	if err != nil {
		return err
	}
	secure, err := f.link.tls()
	if err != nil {
		return err
	}
	name := f.name
	if name == "" {
		host, _ := os.Hostname()
		name = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	cores := a.workers
	if cores <= 0 {
		cores = runtime.GOMAXPROCS(0)
	}
	opt := remote.WorkerOptions{URL: f.join, Token: token, TLS: secure, Name: name, Program: programVersion(), Cores: cores, Log: func(text string) { a.note("%s", text) }}
	a.graceful.Store(false)
	total := int64(0)
	for until := a.now(); ; {
		tasks, more, err := remote.Work(ctx, opt)
		total += tasks
		switch {
		case errors.Is(err, remote.ErrNoServer) && a.now().Before(until) && ctx.Err() == nil: // the next run of a batch begins
			time.Sleep(time.Second)
			continue
		case errors.Is(err, remote.ErrNoServer), errors.Is(err, remote.ErrToken), errors.Is(err, remote.ErrRefused):
			return usage(err)
		case err != nil:
			return err
		}
		if !more || ctx.Err() != nil {
			break
		}
		until = a.now().Add(rejoin)
	}
	if a.json {
		return printJSON(a.out, map[string]any{"schema": "toposearch.worker/1", "worker": name, "tasks": total})
	}
	why := "the run has ended"
	if ctx.Err() != nil {
		why = "left; what was under way is given to others"
	}
	fmt.Fprintf(a.out, "%s: %s done, %s\n", name, count(int(total), "task"), why)
	return nil
}

// jobScript is a job that starts workers under a scheduler.
func jobScript(kind, url string) (string, bool) {
	switch kind {
	case "slurm":
		return `#!/bin/bash
# sbatch workers.sbatch: sixteen workers, a node each; TOPOSEARCH_TOKEN is taken from the environment of sbatch.
#SBATCH --job-name=toposearch
#SBATCH --array=1-16
#SBATCH --cpus-per-task=32
#SBATCH --mem=64G
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --export=TOPOSEARCH_TOKEN
exec srun toposearch worker --join ` + url + ` --workers "$SLURM_CPUS_PER_TASK"
`, true
	case "kubernetes":
		return `# kubectl create secret generic toposearch --from-literal=token="$TOPOSEARCH_TOKEN"; kubectl apply -f workers.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: toposearch-worker
spec:
  replicas: 16
  selector:
    matchLabels: {app: toposearch-worker}
  template:
    metadata:
      labels: {app: toposearch-worker}
    spec:
      containers:
        - name: worker
          image: toposearch:latest
          args: [worker, --join, "` + url + `", --workers, "32"]
          env:
            - name: TOPOSEARCH_TOKEN
              valueFrom: {secretKeyRef: {name: toposearch, key: token}}
          resources:
            requests: {cpu: "32", memory: 64Gi}
`, true
	}
	return "", false
}
